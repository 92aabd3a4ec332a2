"""The rules of the Hugging Face token; no message here ever holds one."""

from recipes import Refusal


def plaintext_token(stack: str) -> str:
    """The refusal of a token that stands unencrypted in a stack file."""
    return (
        f"kimi-k3:hfToken stands in clear text in Pulumi.{stack}.yaml.\n"
        "Accepted: the token as an encrypted secret.\n"
        f"Revoke that token at Hugging Face, then store a new one: make set STACK={stack} KEY=hfToken SECRET=1"
    )


def missing_token(stack: str) -> str:
    """The refusal of a stack whose token source is its config and that has none."""
    return (
        "kimi-k3:hfToken is not set.\n"
        "Accepted: a Hugging Face token with access to the checkpoint, as an encrypted secret.\n"
        f"Store it: make set STACK={stack} KEY=hfToken SECRET=1"
    )


def check_token(token: str, stack: str) -> str:
    """`token` without the newline that files end with; raises Refusal when it cannot be one."""
    cleaned = token.rstrip()
    if not cleaned:
        given = "empty"
    elif any(character.isspace() for character in cleaned):
        given = "a text with white space inside"
    elif not (cleaned.isascii() and cleaned.isprintable()):
        given = "a text with characters that no token has"
    else:
        return cleaned
    raise Refusal(
        f"kimi-k3:hfToken is {given}.\n"
        "Accepted: one Hugging Face token, letters, digits and '_'.\n"
        f"Store it again: make set STACK={stack} KEY=hfToken SECRET=1"
    )
