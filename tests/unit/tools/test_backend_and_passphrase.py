"""Whose backend a stack uses, and that no secret is kept behind a passphrase that is missing or empty."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tools.backend import Backend, choose_backend
from tools.environment import rendering_environment
from tools.errors import ToolsError
from tools.passphrase import refuse_weak_passphrase
from tools.stack_file import StackFile, find_stack

FOLDER = Backend("file:///state", ours=True)
BUCKET = Backend("s3://bucket", ours=False)
CLOUD = Backend("https://api.pulumi.com", ours=False)
CLUSTER: dict[str, object] = {"config": {"kimi-k3:cluster": {"context": "gpu"}}}
RENDER: dict[str, object] = {"config": {"kimi-k3:render": None}}


def login(home: Path, current: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "credentials.json").write_text(json.dumps({"current": current, "accessTokens": {}}))


def test_without_a_choice_the_state_is_in_a_folder_of_the_project(project: Path) -> None:
    backend = choose_backend(project, {"HOME": str(project)})
    assert backend == Backend(f"file://{project}/.pulumi-state", ours=True)
    assert backend.variables() == {"PULUMI_BACKEND_URL": backend.url}


def test_the_backends_a_user_can_choose_in_the_order_of_the_cli(project: Path) -> None:
    environ = {"HOME": str(project)}
    login(project / ".pulumi", "https://api.pulumi.com")
    assert choose_backend(project, environ) == CLOUD
    (project / "Pulumi.yaml").write_text("name: kimi-k3\nbackend:\n  url: gs://bucket\n")
    assert choose_backend(project, environ).url == "gs://bucket"
    chosen = choose_backend(project, {**environ, "PULUMI_BACKEND_URL": "s3://bucket"})
    assert chosen == BUCKET
    assert chosen.variables() == {}, "the user's choice is left alone"


@pytest.mark.parametrize("variable", ["PULUMI_HOME", "PULUMI_CREDENTIALS_PATH"])
def test_a_login_is_found_where_the_cli_keeps_it(project: Path, tmp_path: Path, variable: str) -> None:
    login(tmp_path / "elsewhere", "s3://bucket")
    assert choose_backend(project, {variable: str(tmp_path / "elsewhere"), "HOME": "/none"}) == BUCKET


def test_after_a_logout_nothing_is_chosen(project: Path) -> None:
    login(project / ".pulumi", "")
    assert choose_backend(project, {"HOME": str(project)}).ours


def test_an_access_token_alone_is_a_login_to_pulumi_cloud(project: Path) -> None:
    environ = {"HOME": str(project), "PULUMI_ACCESS_TOKEN": "pul-canary"}
    assert choose_backend(project, environ) == CLOUD, (
        "a build machine must not keep its state in a folder it loses"
    )


def stack(content: Mapping[str, object]) -> StackFile:
    return StackFile("prod", Path("Pulumi.prod.yaml"), content)


STEPS = """\
  test -s ~/.kimi-k3-passphrase || (umask 077; head -c 24 /dev/urandom | base64 > ~/.kimi-k3-passphrase)
{drop}  export PULUMI_CONFIG_PASSPHRASE_FILE=~/.kimi-k3-passphrase
  make up STACK=prod
Keep that file: without it nobody can read the stack's secrets again.
If the stack already has a passphrase, put that one into the file instead."""

REFUSALS: dict[str, tuple[Callable[[Path], dict[str, str]], str, str]] = {
    "nothing set": (
        lambda _: {},
        "neither PULUMI_CONFIG_PASSPHRASE nor PULUMI_CONFIG_PASSPHRASE_FILE is set",
        "",
    ),
    "empty": (
        lambda _: {"PULUMI_CONFIG_PASSPHRASE": ""},
        "PULUMI_CONFIG_PASSPHRASE is set but empty",
        "  unset PULUMI_CONFIG_PASSPHRASE\n",
    ),
    "empty beside a good file": (
        lambda folder: {
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_CONFIG_PASSPHRASE_FILE": str(folder / "good"),
        },
        "PULUMI_CONFIG_PASSPHRASE is set but empty",
        "  unset PULUMI_CONFIG_PASSPHRASE\n",
    ),
    "file missing": (
        lambda _: {"PULUMI_CONFIG_PASSPHRASE_FILE": "/none"},
        "PULUMI_CONFIG_PASSPHRASE_FILE names a file that cannot be read: /none",
        "",
    ),
    "file empty": (
        lambda folder: {"PULUMI_CONFIG_PASSPHRASE_FILE": str(folder / "blank")},
        "PULUMI_CONFIG_PASSPHRASE_FILE names an empty file: {folder}/blank",
        "",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_weak_passphrase_is_refused_with_commands_that_work(tmp_path: Path, case: str) -> None:
    (tmp_path / "good").write_text("canary\n")
    (tmp_path / "blank").write_text(" \n")
    environ, problem, drop = REFUSALS[case]
    with pytest.raises(ToolsError) as refusal:
        refuse_weak_passphrase(stack(CLUSTER), FOLDER, environ(tmp_path), "make up STACK=prod")
    assert str(refusal.value) == (
        f"Stack prod keeps its secrets under a passphrase, and {problem.format(folder=tmp_path)}.\n"
        "Accepted: a passphrase that is not empty, in PULUMI_CONFIG_PASSPHRASE or in the file that "
        "PULUMI_CONFIG_PASSPHRASE_FILE names.\n"
        "These commands make one, if you have none, and go on:\n" + STEPS.format(drop=drop)
    )


@pytest.mark.parametrize(
    ("content", "backend", "refused"),
    [
        (CLUSTER, FOLDER, True),
        (CLUSTER, BUCKET, True),
        (CLUSTER, CLOUD, False),
        ({**CLUSTER, "secretsprovider": "passphrase"}, CLOUD, True),
        ({**CLUSTER, "secretsprovider": "awskms://alias/k"}, BUCKET, False),
        (RENDER, FOLDER, False),
    ],
)
def test_only_stacks_under_the_passphrase_provider_need_one(
    content: dict[str, object], backend: Backend, refused: bool
) -> None:
    if refused:
        with pytest.raises(ToolsError):
            refuse_weak_passphrase(stack(content), backend, {}, "make up")
    else:
        refuse_weak_passphrase(stack(content), backend, {}, "make up")


def test_a_passphrase_in_the_variable_or_in_a_file_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "good").write_text("canary\n")
    for environ in (
        {"PULUMI_CONFIG_PASSPHRASE": "canary"},
        {"PULUMI_CONFIG_PASSPHRASE_FILE": str(tmp_path / "good")},
    ):
        refuse_weak_passphrase(stack(CLUSTER), FOLDER, environ, "make up")


def test_a_rendering_stack_finds_no_cluster_and_has_the_empty_passphrase(project: Path) -> None:
    users = {
        "PULUMI_CONFIG_PASSPHRASE": "theirs",
        "PULUMI_CONFIG_PASSPHRASE_FILE": "/theirs",
        "KUBECONFIG": "/home/user/.kube/config",
        "KUBERNETES_SERVICE_HOST": "10.0.0.1",
        "KUBERNETES_SERVICE_PORT": "443",
        "OTHER": "kept",
    }
    environ = rendering_environment(project, users)
    assert environ == {
        "PULUMI_CONFIG_PASSPHRASE": "",
        "KUBECONFIG": str(project / ".pulumi-tools" / "no-kubeconfig"),
        "OTHER": "kept",
    }
    assert not Path(environ["KUBECONFIG"]).exists()


def test_an_unknown_stack_is_refused_with_the_names_there_are(project: Path) -> None:
    with pytest.raises(ToolsError) as refusal:
        find_stack(project, "prd")
    assert str(refusal.value) == (
        "No stack 'prd': there is no Pulumi.prd.yaml. Did you mean STACK=prod?\n"
        "Stacks here:\n  dev\n  prod\n"
        "Choose one with STACK=<name>, or write Pulumi.prd.yaml first (copy the nearest one)."
    )


def test_a_stack_may_be_named_with_its_organisation(project: Path) -> None:
    assert find_stack(project, "acme/kimi-k3/prod").path == project / "Pulumi.prod.yaml"


def test_a_stack_file_that_is_not_yaml_is_refused_without_a_traceback(project: Path) -> None:
    (project / "Pulumi.prod.yaml").write_text("config: [")
    with pytest.raises(ToolsError, match=r"Pulumi\.prod\.yaml is not YAML: "):
        find_stack(project, "prod")
    (project / "Pulumi.prod.yaml").write_text("- a list")
    with pytest.raises(ToolsError) as refusal:
        find_stack(project, "prod")
    assert str(refusal.value) == "Pulumi.prod.yaml holds a list; a mapping with `config:` is expected."


def test_the_mode_of_a_stack_is_read_from_its_config(project: Path) -> None:
    assert find_stack(project, "dev").renders
    assert not find_stack(project, "prod").renders
    assert find_stack(project, "prod").context == "gpu-cluster"
