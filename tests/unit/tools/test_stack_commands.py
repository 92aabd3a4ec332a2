"""up, preview, destroy and set, with a stand-in for the pulumi CLI. No terminal is there."""

import json
import os
from pathlib import Path

import pytest

from tests.unit.tools.stand_in import StandIn
from tools import environment_commands, stack_commands
from tools.errors import PulumiFailedError, ToolsError
from tools.rendered import expected_files, missing_files
from tools.stack_room import Request

PASSPHRASE = {"PULUMI_CONFIG_PASSPHRASE": "strong"}
DEV_UP = "up --stack dev --yes"


def request(command: str, stack: str, root: Path, *arguments: str, **environ: str) -> Request:
    return Request(command, stack, root, {**os.environ, **environ}, arguments)


def state(*manifests: tuple[str, str, str], protect: bool = False, folder: str = "rendered/dev") -> str:
    """What `pulumi stack export` prints for a rendering stack with these (apiVersion, kind, name)."""
    provider = "urn:pulumi:dev::kimi-k3::pulumi:providers:kubernetes::cluster"
    resources: list[dict[str, object]] = [
        {"urn": "urn:pulumi:dev::kimi-k3::pulumi:pulumi:Stack::kimi-k3-dev", "type": "pulumi:pulumi:Stack"},
        {
            "urn": provider,
            "id": "id",
            "type": "pulumi:providers:kubernetes",
            "inputs": {"renderYamlToDirectory": folder} if folder else {},
        },
    ]
    for version, kind, name in manifests:
        metadata = {"name": name} if kind == "Namespace" else {"name": name, "namespace": "kimi"}
        resources.append(
            {
                "urn": f"urn:pulumi:dev::kimi-k3::kubernetes:{version}:{kind}::{name}-object",
                "type": f"kubernetes:{version}:{kind}",
                "provider": f"{provider}::id",
                "inputs": {"apiVersion": version, "kind": kind, "metadata": metadata},
                "protect": protect,
                "retainOnDelete": protect,
            }
        )
    return json.dumps({"deployment": {"resources": resources}})


THREE = state(
    ("v1", "Namespace", "kimi"), ("v1", "ConfigMap", "a"), ("nvidia.com/v1beta1", "DynamoGraph", "d")
)
FILES = [
    "rendered/dev/1-manifest/v1-namespace-default-kimi.yaml",
    "rendered/dev/1-manifest/v1-configmap-kimi-a.yaml",
    "rendered/dev/1-manifest/nvidia.com_v1beta1-dynamograph-kimi-d.yaml",
]


def write_files(root: Path) -> None:
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def test_the_first_up_of_a_rendering_stack_makes_it_and_runs_without_asking(
    project: Path, pulumi: StandIn
) -> None:
    stack_commands.up(request("up", "dev", project, "--diff", KUBECONFIG="/theirs"))
    assert pulumi.calls() == ["stack select dev", "stack init dev", f"{DEV_UP} --diff"]
    environ = pulumi.environment()
    assert environ["PULUMI_CONFIG_PASSPHRASE"] == ""
    assert environ["KUBECONFIG"] == f"{project}/.pulumi-tools/no-kubeconfig"
    assert environ["PULUMI_BACKEND_URL"] == f"file://{project}/.pulumi-state"
    assert (project / ".pulumi-state").is_dir()


def test_the_folder_that_holds_the_state_is_named(
    project: Path, pulumi: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    stack_commands.preview(request("preview", "dev", project))
    said = capsys.readouterr().err
    assert "Tools: Pulumi 3.300.0 on PATH; nothing to build." in said
    assert (
        f"State: {project}/.pulumi-state (PULUMI_BACKEND_URL or `pulumi login` choose another place)" in said
    )


def test_a_later_up_with_all_files_there_only_runs_up(project: Path, pulumi: StandIn) -> None:
    stack_commands.preview(request("preview", "dev", project))
    pulumi.exports(THREE)
    write_files(project)
    stack_commands.up(request("up", "dev", project))
    assert pulumi.calls()[-3:] == ["stack select dev", "stack export --stack dev", DEV_UP]


def test_one_missing_file_brings_all_of_them_back(
    project: Path, pulumi: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    stack_commands.preview(request("preview", "dev", project))
    pulumi.exports(THREE)
    write_files(project)
    (project / FILES[1]).unlink()
    stack_commands.up(request("up", "dev", project))
    assert pulumi.calls()[-2:] == ["destroy --yes --skip-preview --stack dev", DEV_UP]
    assert (
        f"1 of 3 rendered files are missing ({FILES[1]}): rendering all of them again."
        in capsys.readouterr().err
    )


def test_files_are_named_as_the_provider_names_them(tmp_path: Path) -> None:
    definition = state(("apiextensions.k8s.io/v1", "CustomResourceDefinition", "d.nvidia.com"))
    assert [str(path) for path in expected_files(json.loads(THREE))] == FILES
    assert [str(path) for path in missing_files(json.loads(definition), tmp_path)] == [
        "rendered/dev/0-crd/apiextensions.k8s.io_v1-customresourcedefinition-kimi-d.nvidia.com.yaml"
    ]
    assert expected_files(json.loads(state(("v1", "ConfigMap", "a"), folder=""))) == [], (
        "a cluster stack has no files"
    )
    assert expected_files({"deployment": None}) == []


def test_a_cluster_stack_is_refused_off_a_terminal_before_anything_is_made(
    project: Path, pulumi: StandIn
) -> None:
    with pytest.raises(ToolsError) as refusal:
        stack_commands.up(request("up", "prod", project, **PASSPHRASE))
    assert str(refusal.value) == (
        "Stack prod changes a cluster, and there is no terminal to ask on.\n"
        "Look at what would change:  make preview STACK=prod\n"
        "Agree without being asked:  make up STACK=prod YES=1"
    )
    assert pulumi.calls() == []
    assert not (project / ".pulumi-state").exists()


@pytest.mark.parametrize("command", ["up", "destroy", "preview"])
def test_a_cluster_stack_without_a_passphrase_is_refused_before_it_is_made(
    project: Path, pulumi: StandIn, command: str
) -> None:
    with pytest.raises(ToolsError, match=f"  make {command} STACK=prod\n"):
        getattr(stack_commands, command)(request(command, "prod", project, YES="1"))
    assert pulumi.calls() == []


def test_yes_agrees_for_a_cluster_stack_and_its_kubeconfig_is_left_alone(
    project: Path, pulumi: StandIn
) -> None:
    stack_commands.up(request("up", "prod", project, YES="1", KUBECONFIG="/theirs", **PASSPHRASE))
    assert pulumi.calls()[-1] == "up --yes --non-interactive --stack prod"
    assert pulumi.environment()["KUBECONFIG"] == "/theirs"
    assert pulumi.environment()["PULUMI_CONFIG_PASSPHRASE"] == "strong"


@pytest.mark.parametrize("answer", ["y", "YES "])
def test_on_a_terminal_the_preview_is_shown_before_the_question(
    project: Path, pulumi: StandIn, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    stack_commands.up(request("up", "prod", project, TERM="xterm", **PASSPHRASE))
    assert pulumi.calls()[-2:] == [
        "preview --stack prod",
        "up --yes --non-interactive --skip-preview --stack prod",
    ]
    with pytest.raises(ToolsError, match="no terminal to ask on"):
        stack_commands.up(request("up", "prod", project, TERM="dumb", **PASSPHRASE))


@pytest.mark.parametrize("answer", ["", "n", "maybe"])
def test_without_a_yes_nothing_is_changed(
    project: Path, pulumi: StandIn, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    with pytest.raises(ToolsError, match="Nothing was changed"):
        stack_commands.up(request("up", "prod", project, TERM="xterm", **PASSPHRASE))
    assert pulumi.calls()[-1] == "preview --stack prod"


def test_a_preview_of_a_cluster_stack_asks_nothing(project: Path, pulumi: StandIn) -> None:
    stack_commands.preview(request("preview", "prod", project, "--diff", **PASSPHRASE))
    assert pulumi.calls()[-1] == "preview --stack prod --diff"


def test_a_stack_with_a_secrets_provider_is_made_with_it(project: Path, pulumi: StandIn) -> None:
    (project / "Pulumi.prod.yaml").write_text("secretsprovider: awskms://alias/k\nconfig: {}\n")
    stack_commands.preview(request("preview", "prod", project))
    assert "stack init prod --secrets-provider awskms://alias/k" in pulumi.calls()


def test_the_backend_that_the_user_chose_is_used(project: Path, pulumi: StandIn) -> None:
    stack_commands.up(request("up", "dev", project, PULUMI_BACKEND_URL="s3://theirs"))
    assert pulumi.environment()["PULUMI_BACKEND_URL"] == "s3://theirs"
    assert not (project / ".pulumi-state").exists()


def test_a_stack_that_cannot_be_opened_is_not_made(project: Path, pulumi: StandIn) -> None:
    pulumi.answer('[ "$1" = version ] && echo v3.300.0 && exit; echo "error: access denied" >&2; exit 255')
    with pytest.raises(ToolsError) as refusal:
        stack_commands.up(request("up", "dev", project))
    assert str(refusal.value) == "Stack dev cannot be opened: access denied"
    assert pulumi.calls() == ["stack select dev"]


def test_a_failed_run_fails_the_command(project: Path, pulumi: StandIn) -> None:
    pulumi.answer('[ "$1" = version ] && echo v3.300.0; [ "$1" != preview ]')
    with pytest.raises(PulumiFailedError):
        stack_commands.preview(request("preview", "dev", project))


def test_destroy_leaves_what_is_protected_and_says_how_to_remove_it(
    project: Path, pulumi: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    pulumi.exports(
        state(("v1", "Namespace", "kimi"), ("v1", "PersistentVolumeClaim", "c"), protect=True, folder="")
    )
    stack_commands.destroy(request("destroy", "prod", project, YES="1", **PASSPHRASE))
    assert "destroy --exclude-protected --stack prod --yes" in pulumi.calls()
    urn = "urn:pulumi:dev::kimi-k3::kubernetes:v1"
    said = capsys.readouterr().err
    assert said.endswith(
        "Left in place, because they are protected: kimi-object, c-object.\n"
        "To take them out of stack prod as well:\n"
        f"  pulumi state unprotect {urn}:Namespace::kimi-object --stack prod --yes\n"
        f"  pulumi state unprotect {urn}:PersistentVolumeClaim::c-object --stack prod --yes\n"
        "  make destroy STACK=prod\n"
        "They also stay in the cluster when the stack lets go of them. To delete them there, last:\n"
        "  kubectl --context gpu-cluster --namespace kimi delete persistentvolumeclaim c\n"
        "  kubectl --context gpu-cluster delete namespace kimi\n"
    )


def test_destroy_of_a_rendering_stack_removes_the_folders_that_it_emptied(
    project: Path, pulumi: StandIn
) -> None:
    pulumi.exports(THREE)
    (project / "rendered" / "dev" / "1-manifest").mkdir(parents=True)
    stack_commands.destroy(request("destroy", "dev", project))
    assert not (project / "rendered").exists()


def test_destroy_leaves_files_that_it_did_not_write(project: Path, pulumi: StandIn) -> None:
    pulumi.exports(THREE)
    theirs = project / "rendered" / "dev" / "notes.txt"
    theirs.parent.mkdir(parents=True)
    theirs.touch()
    stack_commands.destroy(request("destroy", "dev", project))
    assert theirs.exists()


def test_env_prints_export_lines_and_nothing_else(
    project: Path, pulumi: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    exports = environment_commands.shell_exports(project, dict(os.environ)).splitlines()
    assert all(line.startswith("export ") for line in exports)
    assert f"export PATH={pulumi.folder}:/usr/bin:/bin" in exports
    assert f"export PULUMI_BACKEND_URL=file://{project}/.pulumi-state" in exports
    assert capsys.readouterr().out == ""


def test_env_leaves_a_backend_alone_that_the_user_chose(project: Path, pulumi: StandIn) -> None:
    exports = environment_commands.shell_exports(project, {**os.environ, "PULUMI_BACKEND_URL": "s3://theirs"})
    assert "PULUMI_BACKEND_URL" not in exports
