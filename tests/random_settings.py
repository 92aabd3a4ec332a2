"""Random settings that a real cluster could need, as hypothesis strategies: every drawn stack has to be valid.

What a strategy leaves out is what the refusals are for: quotes and bare signs of a shell in args, keys that belong to
the operator, requests above their limits.
"""

from typing import Any

from hypothesis import strategies as st

from tests.targets import TARGETS

Values = dict[str, Any]  # Any: whatever a stack file may hold

WORKERS = {
    "vllm-h200-agg": ["worker"],
    "vllm-gb200-agg": ["worker"],
    "vllm-gb300-agg": ["worker"],
    "vllm-gb300-disagg": ["prefill", "decode"],
    "sglang-gb200-agg": ["Worker"],
    "sglang-gb200-disagg": ["PrefillWorker", "DecodeWorker"],
    "sglang-gb300-agg": ["Worker"],
    "sglang-gb300-disagg": ["PrefillWorker", "DecodeWorker"],
}
WITHOUT_DRAFT = ("vllm-h200-agg", "vllm-gb200-agg")

label_keys = st.from_regex(r"\A(example\.com/)?[a-z]([-a-z0-9_.]{0,20}[a-z0-9])?\Z").filter(
    lambda key: key != "app"
)
label_values = st.from_regex(r"\A([A-Za-z0-9]([-A-Za-z0-9_.]{0,30}[A-Za-z0-9])?)?\Z")
labels = st.dictionaries(label_keys, label_values, max_size=3)
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)
names = st.from_regex(r"\A[a-z]([-a-z0-9]{0,20}[a-z0-9])?\Z")

# In double quotes a shell takes everything but a single quote of the operator's as it is; bare words are plain.
_quoted = st.text('abc XYZ09,.:=@%+/_-{}[]"\\$!;&|<>()*?~#`', min_size=1, max_size=24).map(
    lambda text: "{" + text
)
_plain = st.from_regex(r"\A[A-Za-z0-9/][A-Za-z0-9,.:=@%+/_-]{0,20}\Z")
flag_values = st.one_of(
    _plain,
    _quoted.filter(lambda text: "$(" not in text),
    st.integers(0, 10**6),
    st.floats(0.001, 1000),
    st.just(True),
    st.dictionaries(_plain, st.one_of(_plain, st.integers(), st.booleans()), min_size=1, max_size=3),
)
flags = st.from_regex(r"\A--x-[a-z0-9]{1,10}(-[a-z0-9]{1,5})?\Z")
env_names = st.from_regex(r"\AX_[A-Z0-9_]{1,20}\Z")
env = st.dictionaries(
    env_names, st.one_of(st.just(""), texts.filter(lambda text: "$" not in text)), max_size=3
)
config_keys = st.from_regex(r"\Ax-[a-z0-9]{1,10}\Z")
config_values = st.one_of(st.integers(0, 10**6), st.floats(0.01, 10), st.just(True), st.just("word"))

tolerations = st.lists(
    st.one_of(
        st.builds(
            lambda key, value, effect: {"key": key, "operator": "Equal", "value": value, "effect": effect},
            label_keys,
            label_values,
            st.sampled_from(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
        ),
        st.builds(lambda key: {"key": key, "operator": "Exists"}, label_keys),
        st.builds(
            lambda key, seconds: {
                "key": key,
                "operator": "Exists",
                "effect": "NoExecute",
                "tolerationSeconds": seconds,
            },
            label_keys,
            st.integers(0, 600),
        ),
    ),
    max_size=2,
)


def _terms(key: str, operator: str, values: list[str]) -> Values:
    expression: Values = {"key": key, "operator": operator}
    if operator in ("In", "NotIn"):
        expression["values"] = values
    term = {"matchExpressions": [expression]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def _apart(weight: int, key: str, value: str) -> Values:
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {key: value}}}
    preferred = [{"weight": weight, "podAffinityTerm": term}]
    return {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}


affinities: st.SearchStrategy[Values] = st.one_of(
    st.just({}),
    st.builds(
        _terms,
        label_keys,
        st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist"]),
        st.lists(label_values, min_size=1, max_size=2),
    ),
    st.builds(_apart, st.integers(1, 100), label_keys, label_values),
)
placements = st.fixed_dictionaries(
    {},
    optional={
        "nodeSelector": labels,
        "tolerations": tolerations,
        "affinity": affinities,
        "priorityClassName": st.just("system-cluster-critical"),  # the one that every cluster has
    },
)
security = st.fixed_dictionaries(
    {},
    optional={
        "fsGroup": st.integers(1, 65535),
        "fsGroupChangePolicy": st.sampled_from(["OnRootMismatch", "Always"]),
        "supplementalGroups": st.lists(st.integers(1, 65535), max_size=2),
        "seccompProfile": st.just({"type": "RuntimeDefault"}),
    },
)


def _resources(cpu: int, memory: int, devices: int) -> Values:
    return {
        "requests": {"cpu": cpu, "memory": f"{memory}Gi", "rdma/ib": devices},
        "limits": {"cpu": f"{cpu * 1000 + 500}m", "memory": f"{memory + 1}Gi", "rdma/ib": str(devices)},
    }


resources: st.SearchStrategy[Values] = st.one_of(
    st.just({}), st.builds(_resources, st.integers(1, 64), st.integers(130, 1400), st.integers(1, 8))
)


@st.composite
def roles(draw: st.DrawFn, target: str) -> Values:
    """Changes of some components of `target`."""
    chosen: Values = {}
    for name in draw(st.lists(st.sampled_from(["Frontend", *WORKERS[target]]), unique=True)):
        role = draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "replicas": st.integers(1, 4),
                    "args": st.fixed_dictionaries({"set": st.dictionaries(flags, flag_values, max_size=3)}),
                    "env": env,
                    "resources": resources,
                    "sharedMemory": st.sampled_from(["1Gi", "16Gi", "100000Mi"]),
                    "image": st.sampled_from(["published", "registry.example.com/own:1.5.1"]),
                    "podSecurityContext": security,
                },
            )
        )
        if name != "Frontend" and target.startswith("sglang"):
            role["engineConfig"] = draw(st.dictionaries(config_keys, config_values, max_size=3))
        chosen[name] = role
    return chosen


def serving(target: str) -> st.SearchStrategy[Values]:
    return st.fixed_dictionaries(
        {},
        optional={
            "contextLength": st.integers(1024, 1048576),
            "queue": names,
            "schedulerName": names,
            "livenessProbe": st.integers(1, 100),
            "modulesCache": st.booleans(),
            "benchmarkMode": st.just(False) if target in WITHOUT_DRAFT else st.booleans(),
            "canaryHealthCheck": st.booleans() if target.startswith("sglang") else st.just(True),
            "runtimeVersion": st.just("1.5.0"),
        },
    )


@st.composite
def stacks(draw: st.DrawFn, namespace: str = "kimi-k3") -> tuple[str, Values]:
    """A target, and all settings of a stack of it."""
    target = draw(st.sampled_from(TARGETS))
    framework, gpu, topology = target.split("-")
    groups = {group: draw(placements) for group in ("frontend", "workers", "download", "benchmark")}
    clique = {} if target == "vllm-h200-agg" else draw(st.sampled_from([{}, {"clique": "a1b2.7"}]))
    download = st.fixed_dictionaries({}, optional={"resources": resources, "maxWorkers": st.integers(1, 64)})
    values: Values = {
        "framework": framework,
        "gpu": gpu,
        "topology": topology,
        "namespace": {"name": namespace} | draw(st.sampled_from([{}, {"podSecurity": "privileged"}])),
        "modelCache": {"storageClassName": "shared-rwx"}
        | draw(st.sampled_from([{}, {"subPath": "models/k3"}])),
        "cluster": {"context": "prod"},
        "images": draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "registry": st.sampled_from(["registry.example.com", "registry.example.com:5000/mirror"]),
                    "pullSecrets": st.lists(names, unique=True, max_size=2),
                },
            )
        ),
        "hub": draw(st.sampled_from([{}, {"endpoint": "https://hub.example.com"}])),
        "placement": groups | clique,
        "metadata": {
            "labels": draw(labels),
            "annotations": draw(st.dictionaries(label_keys, texts, max_size=2)),
        },
        "roles": draw(roles(target)),
        "modelDownload": draw(download),
        "serving": draw(serving(target)),
    }
    return target, values
