"""Words of engine and frontend that have to agree with each other, with the cache and with the operator."""

from collections.abc import Iterator

from manifests.rules.rule import Finding, of_role, role_path, rule
from manifests.rules.view import View

_HTTP_PORT = "8000"


@rule("engine-file", "Dynamo recipes: SGLang's flags stand in the mounted file of the role")
def _engine_file(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        if worker.dialect.has_file and not worker.readable and view.of_kind("ConfigMap"):
            yield Finding(
                f"{worker.name} has --config {worker.flag('--config')}, which no ConfigMap of the deployment holds",
                "the published path",
                step=f"Leave --config out of {of_role(worker.name, 'args')}",
            )
        for flag, _ in worker.flags:
            key = flag.removeprefix("--")
            if key in (worker.config or {}) and key not in worker.dialect.only_flags:
                yield Finding(
                    f"{worker.name} has {flag} in its args and {key} in its config file",
                    "one of them",
                    worker.path_of(key),
                    step="Set the key of the file instead",
                )


@rule("foreign-word", "vLLM's and SGLang's command lines: an unknown flag ends the engine")
def _foreign(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        given = {flag: flag for flag, _ in worker.flags} | {f"--{key}": key for key in worker.config or {}}
        for flag, own in worker.dialect.foreign.items():
            if flag in given and flag.removeprefix("--") not in worker.dialect.foreign.values():
                yield Finding(
                    f"{worker.name} has {given[flag]}, which its engine does not know",
                    own,
                    worker.path_of(own),
                    step="Set that instead",
                )


@rule("served-name", "Dynamo frontend: a model is found by the name that the workers register (#14617)")
def _served_name(view: View) -> Iterator[Finding]:
    wanted = view.facts.model.served_name
    for frontend in view.frontends:
        if frontend.flag("--model-path") is not None:
            yield Finding(
                f"{frontend.name} has --model-path, and no cache to find it in",
                "the name of the model; workers tell the rest",
                step=f"Leave it out of {of_role(frontend.name, 'args')}",
            )
        if frontend.flag("--model-name") != wanted:
            yield Finding(
                f"{frontend.name} looks for {frontend.flag('--model-name')}, and the workers serve {wanted}",
                wanted,
                role_path(frontend.name, "args", "set", "--model-name"),
                wanted,
            )
    for worker in view.workers:
        word = worker.dialect.served_name
        if worker.readable and worker.word(word) != wanted:
            yield Finding(
                f"{worker.name} serves {worker.word(word)}, and the frontend looks for {wanted}",
                wanted,
                worker.path_of(word),
                wanted,
            )


@rule("http-port", "operator: Service, probes and DYN_HTTP_PORT are fixed to 8000 (#9200)")
def _http_port(view: View) -> Iterator[Finding]:
    for frontend in view.frontends:
        port = frontend.flag("--http-port", _HTTP_PORT)
        if port != _HTTP_PORT:
            yield Finding(
                f"{frontend.name} listens on port {port}, its Service looks for {_HTTP_PORT}",
                _HTTP_PORT,
                role_path(frontend.name, "args", "set", "--http-port"),
                _HTTP_PORT,
            )


@rule("block-size", "Dynamo router: events of blocks of another size are dropped (ai-dynamo/dynamo#1233)")
def _block_size(view: View) -> Iterator[Finding]:
    for frontend in view.frontends:
        router = frontend.flag("--kv-cache-block-size")
        for worker in view.workers:
            size = worker.flag("--block-size")
            if router is not None and router != size:
                yield Finding(
                    f"{frontend.name} has --kv-cache-block-size {router}, {worker.name} has --block-size {size}",
                    "the same for both, since the router would lose the events of the cache",
                    role_path(frontend.name, "args", "set", "--kv-cache-block-size"),
                    size or "",
                )


@rule("disaggregation-mode", "Dynamo: a role's type and its engine's mode have to agree")
def _mode(view: View) -> Iterator[Finding]:
    for worker in view.workers:
        mode = worker.word(worker.dialect.mode)
        wanted = worker.type if worker.type in ("prefill", "decode") else None
        if worker.readable and mode != wanted:
            yield Finding(
                f"{worker.name} is of type {worker.type} and has the disaggregation mode {mode or 'none'}",
                wanted or "none, since it does prefill and decode",
                step=f"Leave {worker.dialect.mode} out of {of_role(worker.name)}",
            )


@rule("cached-model", "Dynamo recipes: workers are offline and find only what the download has fetched")
def _cached_model(view: View) -> Iterator[Finding]:
    cached = view.facts.download.repositories
    for worker in view.workers:
        model = worker.word(worker.dialect.model)
        if worker.readable and model not in cached and not str(model).startswith("/"):
            yield Finding(
                f"{worker.name} loads {model}, which the download does not fetch",
                f"{', '.join(cached)}, or an absolute path",
                worker.path_of(worker.dialect.model),
                view.facts.model.checkpoint,
            )


@rule("context-length", "Kimi-K3: 1,048,576 tokens at most")
def _context_length(view: View) -> Iterator[Finding]:
    longest = view.facts.model.max_context
    for worker in view.workers:
        given = worker.word(worker.dialect.context_length)
        if given is not None and not _up_to(longest, str(given)):
            yield Finding(
                f"{worker.name} has a context length of {given}",
                f"a whole number of tokens up to {longest}",
                ("serving", "contextLength"),
                "262144",
            )


def _up_to(longest: int, text: str) -> bool:
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(longest))
    return digits and 0 < int(text) <= longest


RULES = (
    _engine_file,
    _foreign,
    _served_name,
    _http_port,
    _block_size,
    _mode,
    _cached_model,
    _context_length,
)
