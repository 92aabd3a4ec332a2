"""Deploys the stack's Kimi-K3 target: reads the settings, makes the resources, tells the outputs."""

import pulumi

from recipes import Refusal
from settings import warnings
from stacks.config import read_settings, read_token
from stacks.deployment import Deployment
from stacks.outputs import stack_outputs
from stacks.provider import kubernetes_provider


def main() -> None:
    settings = read_settings()
    token = read_token(settings)  # before anything is registered: a refusal leaves no trace
    for warning in warnings(settings):
        pulumi.log.warn(warning)
    if settings.rendering:
        pulumi.log.info(
            "Render mode: the token's Secret is left out of the files; make it on the cluster itself."
        )
    Deployment(settings, token, kubernetes_provider(settings)).deploy()
    for name, value in stack_outputs(settings).items():
        pulumi.export(name, value)


try:
    main()
except Refusal as refusal:
    raise pulumi.RunError(str(refusal)) from None
