"""A stand-in for the pulumi CLI."""

from pathlib import Path


class StandIn:
    """A `pulumi` that notes its arguments, stdin and environment, and answers as told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir()
        self.executable = folder / "pulumi"
        self.answer(
            """case "$1 $2" in
              "version "*) echo v3.300.0 ;;
              "stack select") [ -e "$0.$3" ] || { echo "error: no stack named '$3' found" >&2; exit 1; } ;;
              "stack init") touch "$0.$3" ;;
              "stack export") cat "$0.export" 2>/dev/null || echo '{}' ;;
            esac"""
        )

    def answer(self, body: str) -> None:
        note = 'printf "%s\\n" "$*" >> "$0.calls"; env > "$0.env"'
        stdin = '[ "$1 $2" = "config set" ] && cat > "$0.stdin"'
        self.executable.write_text(f"#!/bin/sh\n{note}\n{stdin}\n{body}\n")
        self.executable.chmod(0o755)

    def calls(self) -> list[str]:
        """Its command lines, without the questions for its version."""
        noted = self._noted("calls").splitlines()
        return [line.removesuffix(" --non-interactive") for line in noted if line != "version"]

    def environment(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self._noted("env").splitlines() if "=" in line)

    def stdin(self) -> str:
        return self._noted("stdin")

    def exports(self, state: str) -> None:
        Path(f"{self.executable}.export").write_text(state)

    def _noted(self, what: str) -> str:
        path = Path(f"{self.executable}.{what}")
        return path.read_text() if path.exists() else ""
