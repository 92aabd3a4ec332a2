"""The README's example of overrides is one that a person can paste."""

import yaml

from manifests import deviations, refuse_mistakes, stack_manifests
from settings import load_settings
from tests.unit.house.source_files import ROOT
from tests.unit.settings.stack_files import complete


def test_the_example_of_overrides_is_accepted_as_it_stands() -> None:
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Fit your cluster")[2]
    example = yaml.safe_load(section.partition("```yaml\n")[2].partition("```")[0])["config"]
    settings = load_settings(
        complete({key.removeprefix("kimi-k3:"): v for key, v in example.items()}), "prod"
    )
    refuse_mistakes(stack_manifests(settings), "prod")
    assert {key for key in example if key.startswith("kimi-k3:")} == set(example)
    assert len(deviations(settings)) >= len(example)
