"""The turns of phrase that poisoned descriptions share: pieces of patterns over folded text.

As in the patterns made of them, a space stands for any white space.
"""

from __future__ import annotations

USER = r"(?:the |your |any )?(?:user|human|person|customer|operator|anyone|anybody)s?\b"
USER_WORDS = "user users human humans person customer customers operator anyone anybody"
NOT = r"\b(?:do not|don't|must not|mustn't|should not|shouldn't|never|not to|refrain from|avoid) (?:ever )?"
NOT_WORDS = "not don mustn shouldn never refrain avoid"
THIS = r"(?:this|that|it|these|any of (?:this|it|these))"
# What follows "do not tell the user" where it conceals. "Do not tell the user to …" and "… until it is done" do not.
OF_THIS = (
    r"(?= (?:about|of) (?:this|that|it|these|those|any of|what you)\b"
    r"| (?:that you|what you|you (?:are|have|did|read|sent|used|called))\b"
    r"| that (?:this|it|the (?:file|tool|content|data|key|instruction|message|email|recipient))s?\b)"
)
FULL_STOP = (
    r"(?=\s*(?:[.!)\]\"<-]|$)|\s*[,;:](?![^.!?]{0,60}\b(?:until|unless|yet|twice|before)\b)| (?:why|anything|in any)\b)"
)
END = rf"(?:{OF_THIS}|{FULL_STOP})"
READ = (
    r"\b(?:read|open|cat|load|fetch|access|retrieve|get|collect|copy|extract|dump|gather|find|grab|steal|"
    r"look (?:at|up|in))\b"
)
PASS = (
    r"\b(?:pass|include|send|put|provide|supply|append|attach|insert|upload|post|forward|transmit|embed|paste|place|"
    r"submit|share)\b"
)
SEND = r"\b(?:send|forward|post|upload|transmit|exfiltrate|leak|copy|e-?mail|deliver|submit|relay|report)\b"
SEND_WORDS = "send forward post upload transmit exfiltrate leak copy email mail deliver submit relay report"
ITS_CONTENT = (
    r" (?:(?:all|the|full|entire|whole|complete|raw|any|both|of|gathered|file|its|their|that|this) ){0,5}"
    r"(?:its|their|it|them|contents?|output|data|values?|text|keys?|results?|information|everything|variables?)\b"
)
SECRET_FILE = (
    r"(?:\.ssh/|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.aws/(?:credentials|config)\b|\bmcp\.json\b|"
    r"\bclaude_desktop_config\b|\.npmrc\b|\.netrc\b|\.pypirc\b|\.git-credentials\b|\.kube/config\b|\.docker/config\b|"
    r"/etc/(?:passwd|shadow)\b|(?<!\w)\.env\b|\.gnupg\b|\bwallet\.dat\b|\bconfidential://)"
)
SECRET_WORDS = (
    "ssh id_rsa id_ed25519 id_ecdsa id_dsa aws cursor claude_desktop_config npmrc netrc pypirc credentials kube docker "
    "passwd shadow env gnupg wallet confidential"
)
PRIVATE = (
    r"(?:\b(?:conversation|chat)(?: (?:history|log|context|transcript))?\b|\bsystem prompt\b|\bssh keys?\b|"
    r"\bprivate keys?\b|\benvironment variables\b|(?<!\w)\.env\b|\bcredentials\b)"
)
PRIVATE_WORDS = "conversation chat prompt ssh private environment env credentials"
ADDRESS = r"[\w.+-]{1,64}@[\w-]{1,64}\.\w"
ELSEWHERE = (
    rf"\bto (?:\w+ ){{0,2}}(?:https?://|{ADDRESS}|(?:an? |the |our |my )?(?:external|remote|attacker|third[- ]party)"
    r"(?:'s)? (?:server|url|endpoint|address|host|site))"
)
ANY_OTHER_TOOL = (
    r"(?:any|all|every) other (?:tool|function)s?\b"
    r"(?! (?:of|from|on|that|which|with|here|below|listed|in (?!(?:this|the) (?:session|conversation|chat)\b))\b)"
)
