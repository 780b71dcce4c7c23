"""`mcp-contracts lint`: check sources, print a report, and return an exit code for CI."""

# Annotations are evaluated here, where they are compiled, and not when a command line is read.
from mcp_contracts.cli.command_line.parameters import command_app
from mcp_contracts.cli.linting.options import LintOptions
from mcp_contracts.cli.linting.run import run_lint, settings
from mcp_contracts.cli.options import deliver
from mcp_contracts.cli.repeatable import FinishedRun
from mcp_contracts.config.files import SUGGESTED_BASELINE


@command_app(
    "Check the `paths` in the configuration, or the working directory: lint",
    "Check a folder and a tool list: lint specs/ tools.json",
    "Check that versions match the changes since a branch: lint --against origin/main",
    "Check whether OpenAI and Gemini accept the tools: lint --target openai,gemini specs/",
    "Annotate a pull request on GitHub, and fail on warnings: lint --format github --fail-on warning",
    "Run only the schema rules and MC501: lint --select MC3,MC501",
    f"Record existing findings, and fail only on new ones: lint --write-baseline {SUGGESTED_BASELINE}",
)
def app(options: LintOptions) -> int | FinishedRun:
    """Check specifications and tool lists."""
    if options.shows_settings:
        deliver(settings(options), options.report.output)
        return 0
    if options.is_watching:
        from mcp_contracts.cli.linting.watching import watch_lint  # rarely needed

        return watch_lint(options)
    return run_lint(options)
