"""The catalog: loads and checks the recipe files once, looks a target up, and names what is published."""

from functools import lru_cache
from pathlib import Path

from recipes.consistency import inconsistencies
from recipes.refusals import Refusal, nearest
from recipes.schema import Framework, Gpu, ModelFacts, Result, Target, Topology
from recipes.yaml12 import read_yaml

_FACTS = "kimi-k3.yaml"


class Catalog:
    """All published targets, in the order of the page's frameworks and GPUs, with the facts they share."""

    def __init__(self, facts: ModelFacts, targets: tuple[Target, ...]) -> None:
        self.facts = facts
        self.targets = targets
        problems = [text for target in targets for text in inconsistencies(target, facts)]
        if problems:
            raise Refusal("The recipe files contradict themselves:\n" + "\n".join(problems))

    def target(self, framework: str, gpu: str, topology: str) -> Target:
        """The published target of these three; raises Refusal for an unknown word or an unpublished combination."""
        problems = [
            text
            for key, value, accepted in (
                ("framework", framework, Framework),
                ("gpu", gpu, Gpu),
                ("topology", topology, Topology),
            )
            if (text := _unknown_word(key, value, [str(member) for member in accepted]))
        ]
        if problems:
            raise Refusal(*problems)
        for target in self.targets:
            if (target.framework, target.gpu, target.topology) == (framework, gpu, topology):
                return target
        raise Refusal(self._unpublished(framework, gpu, topology))

    def named(self, name: str) -> Target:
        """The target called `name` (`vllm-gb200-agg`); raises Refusal with all names."""
        for target in self.targets:
            if target.name == name:
                return target
        names = [target.name for target in self.targets]
        raise Refusal(
            f"There is no target {name}.{nearest(name, names)}\nPublished: {', '.join(names)}.\nName one of these."
        )

    def only(self, name: str) -> "Catalog":
        """The same catalog with one target; raises Refusal with all names."""
        return Catalog(self.facts, (self.named(name),))

    def result(self, target: Target) -> Result:
        """The published measurement of `target`."""
        return next(result for result in self.facts.results if result.target == target.name)

    def _unpublished(self, framework: str, gpu: str, topology: str) -> str:
        for_gpu = ", ".join(f"{t.framework} {t.topology}" for t in self.targets if t.gpu == gpu)
        for_framework = ", ".join(f"{t.gpu} {t.topology}" for t in self.targets if t.framework == framework)
        return (
            f"No recipe is published for {framework} on {gpu} ({topology}).\n"
            f"Published for {gpu}: {for_gpu}. Published for {framework}: {for_framework}.\n"
            "Set kimi-k3:framework, kimi-k3:gpu and kimi-k3:topology to one of these."
        )


def _unknown_word(key: str, value: str, accepted: list[str]) -> str:
    if value in accepted:
        return ""
    return (
        f"kimi-k3:{key} is {value!r}.{nearest(value, accepted)}\n"
        f"Accepted: {', '.join(accepted)}.\n"
        f"Set kimi-k3:{key} to one of these."
    )


@lru_cache(maxsize=1)
def load_catalog() -> Catalog:
    """The catalog of the recipe files beside this module; raises Refusal when they contradict themselves."""
    folder = Path(__file__).parent
    facts = ModelFacts.model_validate(read_yaml((folder / _FACTS).read_text(encoding="utf-8"), _FACTS))
    targets = [
        Target.model_validate(read_yaml(path.read_text(encoding="utf-8"), path.name))
        for path in folder.glob("*.yaml")
        if path.name != _FACTS
    ]
    order = [(f, g, t) for f in Framework for g in Gpu for t in Topology]
    return Catalog(facts, tuple(sorted(targets, key=lambda t: order.index((t.framework, t.gpu, t.topology)))))
