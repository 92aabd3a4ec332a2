"""The shape of the recipe files: frozen models of a target, its roles and the facts that all targets share."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Framework(StrEnum):
    VLLM = "vllm"
    SGLANG = "sglang"


class Gpu(StrEnum):
    H200 = "h200"
    GB200 = "gb200"
    GB300 = "gb300"


class Topology(StrEnum):
    AGG = "agg"
    DISAGG = "disagg"


class Record(BaseModel):
    """Base of all recipe models: frozen, strict about unknown keys, camelCase in the files."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, strict=False)


Args = Mapping[str, Any]  # Any: a flag's value may be JSON of any depth
JsonObject = Mapping[str, Any]  # Any: an engine key may hold any YAML scalar


class Requests(Record):
    """Kubernetes quantities that a container asks for."""

    cpu: str
    memory: str
    ephemeral_storage: str | None = None


class Port(Record):
    name: str
    container_port: int


class Frontend(Record):
    args: Args
    env: Mapping[str, str]
    ports: tuple[Port, ...] = ()


class Role(Record):
    """One kind of worker. A replica is `node_count` pods with `gpus_per_node` GPUs each."""

    name: str
    type: str
    replicas: int
    node_count: int
    gpus_per_node: int
    requests: Requests
    pod_annotations: Mapping[str, str] = Field(default_factory=dict)
    command: tuple[str, ...]
    args: Args
    env: Mapping[str, str]
    ports: tuple[Port, ...] = ()
    benchmark_env: Mapping[str, str] = Field(default_factory=dict)
    engine_config_file: str | None = None
    engine_config: JsonObject = Field(default_factory=dict)

    @property
    def nodes(self) -> int:
        return self.replicas * self.node_count

    @property
    def gpus(self) -> int:
        return self.nodes * self.gpus_per_node


class Published(Record):
    """The target's row on the published page, in the page's own words."""

    gpus: int
    replicas: str
    parallelism: str
    precision: str
    routing: str
    speculative_decoding: str | None
    context_length: str


class Target(Record):
    """One published deployment."""

    framework: Framework
    gpu: Gpu
    topology: Topology
    published: Published
    compute_domain: bool
    frontend: Frontend
    workers: tuple[Role, ...]

    @property
    def name(self) -> str:
        """Framework, GPU and topology, as the stacks are named: `vllm-gb200-agg`."""
        return f"{self.framework}-{self.gpu}-{self.topology}"

    @property
    def dgd_name(self) -> str:
        return f"kimi-k3-{self.name}-agentic"

    @property
    def frontend_service(self) -> str:
        """The operator names a Service `<dgd>-<lower-case component>`."""
        return f"{self.dgd_name}-frontend"

    @property
    def compute_domain_name(self) -> str:
        return f"{self.dgd_name}-compute-domain"

    @property
    def claim_template_name(self) -> str:
        """ResourceClaimTemplate that the ComputeDomain's controller makes and the worker pods name."""
        return f"{self.dgd_name}-compute-domain-channel"

    @property
    def engine_config_name(self) -> str:
        return f"{self.dgd_name}-sglang-config"

    @property
    def nodes(self) -> int:
        return sum(role.nodes for role in self.workers)

    @property
    def gpus(self) -> int:
        return sum(role.gpus for role in self.workers)


class ModelInfo(Record):
    checkpoint: str
    served_name: str
    max_context: int
    drafts: Mapping[Framework, str]


class Token(Record):
    key: str
    type: str


class Cache(Record):
    access_modes: tuple[str, ...]
    volume: str
    mount_path: str


class Download(Record):
    """The published Job that fills the cache; `script` runs before one `hf download` per repository."""

    name: str
    pod_labels: Mapping[str, str]
    backoff_limit: int
    completions: int
    parallelism: int
    restart_policy: str
    command: tuple[str, ...]
    script: tuple[str, ...]
    repositories: tuple[str, ...]
    env: Mapping[str, str]
    security_context: JsonObject


class ComputeDomain(Record):
    num_nodes: int
    allocation_mode: str
    claim: str


class GraphFrontend(Record):
    name: str
    type: str
    replicas: int
    command: tuple[str, ...]
    requests: Requests


class GraphWorker(Record):
    shared_memory_size: str
    termination_grace_period_seconds: int
    gpu_resource: str
    security_context: Mapping[Framework, JsonObject]


class EngineConfig(Record):
    volume: str
    mount_path: str


class Graph(Record):
    """What every DynamoGraphDeployment has in common."""

    container: str
    image_pull_policy: str
    frontend: GraphFrontend
    worker: GraphWorker
    engine_config: EngineConfig


class Result(Record):
    """A published measurement: output tokens per second and GPU, of one user, and time to first token (ms, P50)."""

    target: str
    concurrency: int
    output_tokens_per_second_per_gpu: float
    user_tokens_per_second_p50: float
    ttft_p50_milliseconds: int


class Workaround(Record):
    env: Mapping[str, str]
    framework: Framework
    applies_to: str
    log_line: str
    trade_off: str


class Combination(Record):
    framework: Framework
    gpu: Gpu
    topology: Topology


class ModelFacts(Record):
    """What all targets share (kimi-k3.yaml)."""

    model: ModelInfo
    images: Mapping[str, str]
    token: Token
    cache: Cache
    download: Download
    compute_domain: ComputeDomain
    graph: Graph
    benchmark_speculative_config: JsonObject
    results: tuple[Result, ...]
    health_check_workaround: Workaround
    limitations: tuple[str, ...]
    unavailable: tuple[Combination, ...]
