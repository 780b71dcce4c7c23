"""Agents: models that call the tools of a registry until they have an answer."""

from mcp_contracts.agents.agent import Agent, Answer, MadeCall
from mcp_contracts.agents.calls import PendingCall
from mcp_contracts.agents.errors import (
    AgentError,
    ContextFullError,
    CutReplyError,
    LoopError,
    ModelError,
    RateLimitError,
    RefusalError,
    StepLimitError,
    UnreadableReplyError,
)
from mcp_contracts.agents.messages import Message
from mcp_contracts.agents.model import Model, Reply, Stop, Usage
from mcp_contracts.agents.models.anthropic import Anthropic
from mcp_contracts.agents.models.gemini import Gemini
from mcp_contracts.agents.models.openai import OpenAIChat
from mcp_contracts.agents.models.responses import OpenAIResponses
from mcp_contracts.agents.offering import ToolLeftOutWarning
from mcp_contracts.agents.running import AgentEvent, AgentEventKind

__all__ = [
    "Agent",
    "AgentError",
    "AgentEvent",
    "AgentEventKind",
    "Answer",
    "Anthropic",
    "ContextFullError",
    "CutReplyError",
    "Gemini",
    "LoopError",
    "MadeCall",
    "Message",
    "Model",
    "ModelError",
    "OpenAIChat",
    "OpenAIResponses",
    "PendingCall",
    "RateLimitError",
    "RefusalError",
    "Reply",
    "StepLimitError",
    "Stop",
    "ToolLeftOutWarning",
    "UnreadableReplyError",
    "Usage",
]
