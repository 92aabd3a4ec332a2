"""What the machines of the targets look like on a cluster.

Source of the products: labels that NVIDIA's GPU feature discovery was seen to give; they are not on the published page,
so that `cluster.gpuProduct` can name another. Grace machines are arm64; H200 is sold beside x86 processors.
"""

from dataclasses import dataclass

from recipes import Gpu

PRODUCT = "nvidia.com/gpu.product"
CLIQUE = "nvidia.com/gpu.clique"
SHARING = "nvidia.com/gpu.sharing-strategy"
REPLICAS = "nvidia.com/gpu.replicas"
DOMAIN = "resource.nvidia.com/computeDomain"
ARCHITECTURE = "kubernetes.io/arch"


@dataclass(frozen=True)
class Machine:
    product: str
    architecture: str


MACHINES = {
    Gpu.H200: Machine("NVIDIA-H200", "amd64"),
    Gpu.GB200: Machine("NVIDIA-GB200", "arm64"),
    Gpu.GB300: Machine("NVIDIA-GB300", "arm64"),
}
