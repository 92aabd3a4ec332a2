"""Day two: the commands around a stack, `python -m operations ...`. None of them needs an engine or the token."""
