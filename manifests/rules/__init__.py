"""What the operator, the API server or an engine would refuse or silently get wrong: named rules over manifests."""

from manifests.rules.book import RULES, findings, refuse_mistakes
from manifests.rules.rule import Finding, Rule

__all__ = ["RULES", "Finding", "Rule", "findings", "refuse_mistakes"]
