"""What Dynamo publishes for Kimi-K3: one file per target, the shared facts, and the catalog that checks them."""

from recipes.catalog import Catalog, load_catalog
from recipes.refusals import Refusal, nearest
from recipes.schema import Framework, Gpu, ModelFacts, Result, Role, Target, Topology

__all__ = [
    "Catalog",
    "Framework",
    "Gpu",
    "ModelFacts",
    "Refusal",
    "Result",
    "Role",
    "Target",
    "Topology",
    "load_catalog",
    "nearest",
]
