"""What each setting changes in the published manifests, as an edit made by hand."""

from tests.unit.manifests.published_stack import (
    AFFINITY,
    SGLANG,
    TOLERATIONS,
    VLLM,
    WORKERS,
    Edit,
    Groups,
    arg_after,
    described,
    draft_of,
    each,
    env,
    images,
    liveness,
    modules_cache,
    placed,
    role_of,
    same,
    script,
    sub_path,
    three_replicas,
    without,
)
from tests.unit.manifests.rendered import main, only, pod

EVERYWHERE: list[tuple[str, Groups, Edit]] = [
    ("images.registry", same(images={"registry": "registry.example.com:5000/mirror"}), images),
    (
        "images.pullSecrets",
        same(images={"pullSecrets": ["pull", "second"]}),
        lambda it: each(
            it.pods("frontend", "workers", "download"),
            "imagePullSecrets",
            [{"name": "pull"}, {"name": "second"}],
        ),
    ),
    (
        "images.download",
        same(images={"download": "registry.example.com/python:3.12"}),
        lambda it: it.job["spec"]["containers"][0].update(image="registry.example.com/python:3.12"),
    ),
    (
        "hub.endpoint",
        same(hub={"endpoint": "https://hub.example.com"}),
        lambda it: env(it.job["spec"]["containers"][0], "HF_ENDPOINT", "https://hub.example.com"),
    ),
    (
        "hub.packageIndex",
        same(hub={"packageIndex": "https://pypi.example.com/simple"}),
        lambda it: env(it.job["spec"]["containers"][0], "PIP_INDEX_URL", "https://pypi.example.com/simple"),
    ),
    *(
        placed(group, key, value)
        for group in ("frontend", "workers", "download")
        for key, value in (
            ("nodeSelector", {"disk": "nvme"}),
            ("tolerations", TOLERATIONS),
            ("affinity", AFFINITY),
            ("priorityClassName", "production"),
        )
    ),
    (
        "placement.benchmark",
        same(placement={"benchmark": {"nodeSelector": {"disk": "nvme"}, "tolerations": TOLERATIONS}}),
        lambda it: None,  # a stack makes no benchmark's pods
    ),
    (
        "placement.clique",
        same(placement={"clique": "rack.1"}),
        lambda it: each(it.pods("workers"), "nodeSelector", {"nvidia.com/gpu.clique": "rack.1"}),
    ),
    (
        "metadata.labels",
        same(metadata={"labels": {"example.com/team": "ml"}}),
        lambda it: described(it, "labels", "example.com/team", "ml"),
    ),
    (
        "metadata.annotations",
        same(metadata={"annotations": {"note": "any text, with spaces"}}),
        lambda it: described(it, "annotations", "note", "any text, with spaces"),
    ),
    ("roles.replicas", role_of("replicas", 3), three_replicas),
    (
        "roles.env",
        role_of("env", {"NCCL_DEBUG": "INFO"}),
        lambda it: env(main(it.role), "NCCL_DEBUG", "INFO"),
    ),
    (
        "roles.env of a published name",
        role_of("env", {"NCCL_NVLS_ENABLE": "0"}),
        lambda it: next(e for e in main(it.role)["env"] if e["name"] == "NCCL_NVLS_ENABLE").update(value="0"),
    ),
    (
        "roles.args.set",
        role_of("args", {"set": {"--new-flag": 5, "--dyn-tool-call-parser": "other", "--switch": True}}),
        lambda it: (
            main(it.role)["args"].extend(["--new-flag", "5", "--switch"]),
            arg_after(main(it.role), "--dyn-tool-call-parser", "other"),
        ),
    ),
    (
        "roles.args.set of JSON",
        role_of("args", {"set": {"--options": {"a": [1, 2], "b": "c d"}}}),
        lambda it: main(it.role)["args"].extend(["--options", '{"a":[1,2],"b":"c d"}']),
    ),
    (
        "roles.args.remove",
        role_of("args", {"remove": ["--dyn-tool-call-parser", "--dyn-enable-structural-tag"]}),
        lambda it: (
            without(main(it.role), "--dyn-tool-call-parser", 2),
            without(main(it.role), "--dyn-enable-structural-tag", 1),
        ),
    ),
    (
        "roles.resources.requests",
        role_of("resources", {"requests": {"cpu": 24}}),
        lambda it: main(it.role)["resources"]["requests"].update(cpu="24"),
    ),
    (
        "roles.resources.limits",
        role_of("resources", {"limits": {"memory": "1024Gi", "rdma/ib": "1"}}),
        lambda it: main(it.role)["resources"]["limits"].update({"memory": "1Ti", "rdma/ib": "1"}),
    ),
    (
        "roles.sharedMemory",
        role_of("sharedMemory", "128Gi"),
        lambda it: it.role.update(sharedMemorySize="128Gi"),
    ),
    (
        "roles.image",
        role_of("image", "registry.example.com/own:1.6.0"),
        lambda it: main(it.role).update(image="registry.example.com/own:1.6.0"),
    ),
    (
        "roles.podSecurityContext",
        role_of("podSecurityContext", {"fsGroupChangePolicy": "OnRootMismatch"}),
        lambda it: pod(it.role).update(securityContext={"fsGroupChangePolicy": "OnRootMismatch"}),
    ),
    (
        "roles.podSecurityContext of nothing",
        role_of("podSecurityContext", {}),
        lambda it: pod(it.role).update(securityContext={}),
    ),
    (
        "roles.Frontend",
        same(
            roles={
                "Frontend": {
                    "replicas": 2,
                    "env": {"RUST_LOG": "debug"},
                    "args": {"set": {"--router-temperature": "0.5"}},
                    "resources": {"limits": {"memory": "200Gi"}},
                    "sharedMemory": "2Gi",
                    "image": "registry.example.com/frontend:1.5.0",
                    "podSecurityContext": {"runAsUser": 1000},
                }
            }
        ),
        lambda it: (
            it.frontend.update(replicas=2, sharedMemorySize="2Gi"),
            env(main(it.frontend), "RUST_LOG", "debug"),
            main(it.frontend)["args"].extend(["--router-temperature", "0.5"]),
            main(it.frontend)["resources"].update(limits={"memory": "200Gi"}),
            main(it.frontend).update(image="registry.example.com/frontend:1.5.0"),
            pod(it.frontend).update(securityContext={"runAsUser": 1000}),
        ),
    ),
    (
        "modelDownload.resources",
        same(modelDownload={"resources": {"requests": {"memory": "16Gi"}, "limits": {"memory": "96Gi"}}}),
        lambda it: it.job["spec"]["containers"][0].update(
            resources={"requests": {"memory": "16Gi"}, "limits": {"memory": "96Gi"}}
        ),
    ),
    ("modelDownload.maxWorkers", same(modelDownload={"maxWorkers": 4}), script),
    (
        "serving.queue",
        same(serving={"queue": "research"}),
        lambda it: it.graph["metadata"]["annotations"].update({"nvidia.com/kai-scheduler-queue": "research"}),
    ),
    (
        "serving.schedulerName",
        same(serving={"schedulerName": "kai-scheduler"}),
        lambda it: each(it.pods("frontend", "workers"), "schedulerName", "kai-scheduler"),
    ),
    ("serving.livenessProbe", same(serving={"livenessProbe": 6}), liveness),
    ("serving.modulesCache", same(serving={"modulesCache": True}), modules_cache),
    ("modelCache.subPath", same(modelCache={"subPath": "models/k3"}), sub_path),
    (
        "namespace.podSecurity",
        same(namespace={"podSecurity": "privileged"}),
        lambda it: only(it.manifests, "Namespace")["metadata"].update(
            labels={"pod-security.kubernetes.io/enforce": "privileged"}
        ),
    ),
    ("cost.pricePerGpuHour", same(cost={"pricePerGpuHour": 4.5}), lambda it: None),
]
OF_VLLM: list[tuple[str, Groups, Edit]] = [
    (
        "serving.contextLength",
        same(serving={"contextLength": 262144}),
        lambda it: [main(worker)["args"].extend(["--max-model-len", "262144"]) for worker in it.workers],
    ),
    (
        "serving.benchmarkMode",
        same(serving={"benchmarkMode": True}),
        lambda it: [
            arg_after(
                main(worker),
                "--speculative-config",
                '{"model":"Inferact/Kimi-K3-DSpark",'
                + (
                    '"attention_backend":"TOKENSPEED_MLA",'
                    if '"attention_backend"' in draft_of(worker)
                    else ""
                )
                + '"method":"dspark","num_speculative_tokens":7,'
                '"rejection_sample_method":"synthetic","synthetic_acceptance_length":4.2584}',
            )
            for worker in it.workers
        ],
    ),
]
SIMULATED = {"SGLANG_SIMULATE_ACC_LEN": "4.05", "SGLANG_SIMULATE_ACC_METHOD": "match-expected"}
OF_SGLANG: list[tuple[str, Groups, Edit]] = [
    (
        "serving.contextLength",
        same(serving={"contextLength": 262144}),
        lambda it: [it.config(worker).update({"context-length": 262144}) for worker in it.workers],
    ),
    (
        "roles.engineConfig",
        role_of("engineConfig", {"mem-fraction-static": 0.8, "new-key": "x", "enable-metrics": None}),
        lambda it: (
            it.config(it.role).update({"mem-fraction-static": 0.8, "new-key": "x"}),
            it.config(it.role).pop("enable-metrics"),
        ),
    ),
    (
        "serving.canaryHealthCheck",
        same(serving={"canaryHealthCheck": False}),
        lambda it: [env(main(worker), "DYN_HEALTH_CHECK_ENABLED", "false") for worker in it.workers],
    ),
    (
        "serving.benchmarkMode",
        same(serving={"benchmarkMode": True}),
        lambda it: [
            env(main(worker), name, value)
            for worker in it.workers
            for name, value in (
                ({"SGLANG_RAGGED_VERIFY_MODE": "static"} if it.target.endswith("-agg") else {}) | SIMULATED
            ).items()
        ],
    ),
]


ROWS = [
    (f"{name} {target}", target, groups, edit)
    for targets, rows in ((list(WORKERS), EVERYWHERE), (VLLM, OF_VLLM), (SGLANG, OF_SGLANG))
    for name, groups, edit in rows
    for target in targets
]
