"""up, preview and destroy."""

import json
import shlex
import shutil
from collections.abc import Mapping
from typing import Any

from tools.checking import check_first
from tools.errors import ToolsError, say
from tools.rendered import (
    Resource,
    expected_files,
    missing_files,
    remove_empty_folders,
    rendered_folders,
    resources,
)
from tools.stack_room import OpenStack, Request, open_stack
from tools.watching import watch_beside

ADOPTS = (
    "Note: this build of the Kubernetes provider adopts an object that already exists on the cluster when it "
    "creates one (released versions refuse); what it adopts is deleted with the stack."
)
MISSING_SHOWN = 3


def up(request: Request) -> None:
    stack = open_stack(request, changes=True)
    if stack.toolchain.provider_built:
        say(ADOPTS)
    if not stack.file.renders:
        _up_on_a_cluster(stack, request)
        return
    if not stack.is_new:
        _forget_if_files_are_missing(stack, request)
    stack.pulumi.run("up", "--stack", request.stack, *stack.confirmed, *request.arguments)


def _up_on_a_cluster(stack: OpenStack, request: Request) -> None:
    """Preflight, preview, question, and the update with a watch beside it.

    pulumi's own display would leave no room for the watch.
    """
    check_first(request.stack, request.root, stack.pulumi.environ)
    arguments = ("--stack", request.stack, *request.arguments)
    if not stack.confirmed:
        stack.pulumi.run("preview", *arguments)
        if not _agreed(request.stack):
            raise ToolsError("Nothing was changed.")
    skip = () if stack.confirmed else ("--skip-preview",)
    with watch_beside(request.stack, request.root, stack.pulumi.environ):
        stack.pulumi.run("up", "--yes", "--non-interactive", *skip, *arguments)


def _agreed(stack: str) -> bool:
    """Whether the person at the terminal wants what the preview shows."""
    try:
        return input(f"Make these changes to stack {stack}? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def preview(request: Request) -> None:
    stack = open_stack(request, changes=False)
    stack.pulumi.run("preview", "--stack", request.stack, *request.arguments)


def destroy(request: Request) -> None:
    stack = open_stack(request, changes=True)
    folders = rendered_folders(_export(stack, request)) if stack.file.renders else []
    stack.pulumi.run(
        "destroy", "--exclude-protected", "--stack", request.stack, *stack.confirmed, *request.arguments
    )
    for folder in folders:
        remove_empty_folders(request.root, folder)
    left = [resource for resource in resources(_export(stack, request)) if resource.get("protect")]
    if left:
        say(protected_note(left, request.stack, stack.file.context))


def protected_note(left: list[Resource], stack: str, context: str | None) -> str:
    """What a destroy has left, and the commands that remove it."""
    ready = [] if shutil.which("pulumi") else ['  eval "$(make -s env)"']
    unprotect = [
        f"  pulumi state unprotect {shlex.quote(str(item['urn']))} --stack {stack} --yes" for item in left
    ]
    # Backwards: what is in a namespace goes before the namespace.
    deletions = [command for item in reversed(left) if (command := _deletion(item, context))]
    kept = [
        "They also stay in the cluster when the stack lets go of them. To delete them there, last:",
        *deletions,
    ]
    return "\n".join(
        [
            f"Left in place, because they are protected: {', '.join(_name(item) for item in left)}.",
            f"To take them out of stack {stack} as well:",
            *ready,
            *unprotect,
            f"  make destroy STACK={stack}",
            *(kept if deletions else []),
        ]
    )


def _forget_if_files_are_missing(stack: OpenStack, request: Request) -> None:
    """Files that somebody deleted do not come back by themselves: the state says that they are there."""
    export = _export(stack, request)
    missing = missing_files(export, request.root)
    if not missing:
        return
    shown = ", ".join(str(path) for path in missing[:MISSING_SHOWN])
    more = ", ..." if len(missing) > MISSING_SHOWN else ""
    total = len(expected_files(export))
    say(f"{len(missing)} of {total} rendered files are missing ({shown}{more}): rendering all of them again.")
    stack.pulumi.demand("destroy", "--yes", "--skip-preview", "--stack", request.stack)


def _export(stack: OpenStack, request: Request) -> Mapping[str, Any]:  # Any: JSON
    exported: Mapping[str, Any] = json.loads(stack.pulumi.demand("stack", "export", "--stack", request.stack))
    return exported


def _name(item: Resource) -> str:
    return str(item["urn"]).rsplit("::", 1)[-1]


def _deletion(item: Resource, context: str | None) -> str | None:
    manifest = item.get("inputs") or {}
    if not item.get("retainOnDelete") or "kind" not in manifest:
        return None
    metadata = manifest["metadata"]
    cluster = f" --context {shlex.quote(context)}" if context else ""
    place = f" --namespace {metadata['namespace']}" if metadata.get("namespace") else ""
    return f"  kubectl{cluster}{place} delete {str(manifest['kind']).lower()} {metadata['name']}"
