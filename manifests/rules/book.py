"""All rules in one place, for the program, its commands and a policy check alike."""

from collections.abc import Sequence

from manifests.rules import (
    agreement,
    args,
    engine_config,
    env,
    images,
    names,
    parallelism,
    pods,
    resources,
    scheduling,
)
from manifests.rules.rule import Finding, Rule
from manifests.rules.view import View
from manifests.shape import Manifest
from recipes import Refusal

RULES: tuple[Rule, ...] = (
    *names.RULES,
    *images.RULES,
    *parallelism.RULES,
    *args.RULES,
    *agreement.RULES,
    *engine_config.RULES,
    *env.RULES,
    *pods.RULES,
    *resources.RULES,
    *scheduling.RULES,
)


def findings(manifests: Sequence[Manifest]) -> list[tuple[Rule, Finding]]:
    """What each rule finds in the manifests of one deployment, in the order of the rules."""
    view = View(manifests)
    return [(rule, finding) for rule in RULES for finding in rule.check(view)]


def refuse_mistakes(manifests: Sequence[Manifest], stack: str = "") -> None:
    """Raises Refusal with everything that would fail or go wrong later; `stack` stands in the commands that mend it."""
    problems = [finding.text(stack) for _, finding in findings(manifests)]
    if problems:
        raise Refusal(*dict.fromkeys(problems))
