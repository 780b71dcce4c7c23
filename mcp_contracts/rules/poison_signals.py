"""The instructions by which poisoned descriptions are known, as patterns over folded text.

Sources: Invariant Labs, "Tool Poisoning Attacks" (2025); Trail of Bits, "Jumping the line" (2025); CyberArk, "Poison
everywhere" (2025); the MCPTox benchmark; OWASP MCP Top 10, MCP03. In a pattern a space stands for any white space. No
pattern repeats an unbounded part inside another, so that each takes linear time.
"""

from __future__ import annotations

from typing import NamedTuple

from mcp_contracts.rules.poison_phrases import (
    ADDRESS,
    ANY_OTHER_TOOL,
    CONDITION,
    ELSEWHERE,
    END,
    FULL_STOP,
    ITS_CONTENT,
    NOT,
    OF_THIS,
    PASS,
    PRIVATE,
    PRIVATE_WORDS,
    PROBE,
    READ,
    SECRET_FILE,
    SECRET_WORDS,
    SEND,
    THIS,
    USER,
    USER,
)


class Signal(NamedTuple):
    """A kind of instruction: what it does to the model, words of which it holds one, and how it is worded.

    A strong one is enough; of the others it takes two that do different things. A negatable one says the opposite after
    "do not".
    """

    what: str
    words: str
    pattern: str
    is_strong: bool = True
    is_negatable: bool = False


_OVERRIDE = "tells the model to drop its instructions"
_CONCEAL = "tells the model to keep something from the user"
_HAND_OVER = "asks for a file of credentials or for private data"
_SEND_ON = "asks the model to send data elsewhere"
_SHADOW = "tells the model how to use other tools"
_ROLE = "gives the model another role"
_MARKUP = "imitates the markup of a system prompt"
_ENCODED = "asks the model to follow encoded instructions"
_AGAINST

SIGNALS: tuple[Signal, ...] = (
    Signal(
        _OVERRIDE,
        "ignore disregard forget override bypass discard",
        # "Override the system prompt" is what a parameter may well do.
        r"\b(?:ignore|disregard|forget|override|bypass|discard) (?:(?:all|any|every|the|your|of|these|those|other|my) ){0,4}"
        r"(?:previous|prior|above|earlier|preceding|existing|original|former|system|safety|initial)(?:ly)? "
        r"(?:(?:and|or|system|safety|user|developer|the|given|security) ){0,2}"
        r"(?:instruction|direction|directive|guideline|guardrail)s?\b",
    ),
    Signal(
        _OVERRIDE,
        "ignore disregard forget",
        r"\b(?:ignore|disregard|forget) (?:(?:all|any|every|the|your|of|these|those) ){0,3}"
        r"(?:previous|prior|above|earlier|preceding|system) (?:system |user )?prompts?\b",
    ),
    Signal(
        _OVERRIDE,
        "ignore disregard forget override bypass",
        r"\b(?:ignore|disregard|forget|override|bypass) (?:all (?:of )?)?your (?:\w+ ){0,2}"
        r"(?:instructions?|guidelines?|rules|prompt|training|guardrails|programming|polic(?:y|ies)|restrictions|constraints)\b",
    ),
    Signal(
        _OVERRIDE,
        "ignore disregard forget",
        r"\b(?:forget|disregard|ignore) (?:everything|anything|all|what) (?:(?:that )?(?:you|has been said)\b|"
        r"(?:above|before|prior|previous)(?=\s*(?:[.,;:!]|$|\band\b)))",
    ),
    Signal(
        _OVERRIDE,
        "instructions instruction",
        r"(?:^|[.!?\n\]>-]\s*)(?:your )?(?:new|updated|revised|real|actual|secret) (?:system )?instructions?\s*(?::|follow\b)",
    ),
    Signal(
        _CONCEAL,
        "tell telling inform informing",
        rf"{NOT}(?:tell|telling|inform|informing) {USER}{END}",
    ),
    Signal(
        _CONCEAL,
        "notify notifying alert alerting warn warning ask asking",
        rf"{NOT}(?:notify|notifying|alert|alerting|warn|warning|ask|asking) {USER}{OF_THIS}",
    ),
    Signal(_CONCEAL, "notify alert warn", rf"{NOT}(?:notify|alert|warn) {USER}{FULL_STOP}", is_strong=False),
    Signal(_CONCEAL, "let letting", rf"{NOT}(?:let|letting) {USER} (?:know|see|notice|find out){END}"),
    Signal(
        _CONCEAL,
        "mention mentioning acknowledge discuss say admit disclose reveal",
        rf"{NOT}(?:mention|acknowledge|discuss|say|admit|disclose|reveal)(?:ing)? {THIS}"
        r"(?: (?:step|fact|instruction|action|process|detail|requirement|access|behaviou?r|call|note|part|read)s?)? "
        rf"(?:to|with) {USER}",
    ),
    Signal(
        _CONCEAL,
        "mention mentioning reveal disclose discuss acknowledge repeat show output explain",
        rf"{NOT}(?:mention|reveal|disclose|discuss|acknowledge|repeat|show|output|explain)(?:ing)? "
        r"(?:these|this|the above|the following|your|such) (?:hidden |extra )?"
        r"(?:instructions?|directives?|steps?|requirements?)\b",
    ),
    Signal(
        _CONCEAL,
        "mention mentioning reveal disclose admit acknowledge explain tell",
        rf"{NOT}(?:mention|reveal|disclose|admit|acknowledge|explain|tell \w+)(?:ing)? (?:to the user )?that you(?:'re|'ve|'d| "
        r"(?:first|also|have|had|are|were|need|needed|read|used?|called|sent|did|must|just|access\w*))\b",
    ),
    Signal(
        _CONCEAL,
        "mention reveal disclose show share expose report",
        rf"{NOT}(?:mention|reveal|disclose|show|share|expose|report) {THIS} (?:to|with) {USER}",
        is_strong=False,
    ),
    Signal(_CONCEAL, "mention", rf"{NOT}mention {THIS}(?=\s*(?:[.!<]|$))"),
    Signal(
        _CONCEAL,
        "keep",
        rf"\bkeep (?:this|it|that|these) (?:\w+ )?(?:a )?(?:secret|hidden|confidential|private) from {USER}",
        is_negatable=True,
    ),
    Signal(
        _CONCEAL,
        "conceal hide",
        r"\b(?:conceal (?:this|it|that|these)(?: \w+)?|(?:hide|conceal) (?:the fact\b[^.!?]{0,60}|what you \w+)) "
        rf"from {USER}",
        is_negatable=True,
    ),
    Signal(
        _CONCEAL,
        "know notice learn told informed aware find",
        r"\bthe user (?:must|should|shall|may) (?:not|never) (?:know|notice|find out|learn|be (?:told|informed|made aware|"
        rf"aware)){END}",
    ),
    Signal(
        _CONCEAL,
        "telling informing mentioning knowledge",
        rf"\bwithout (?:telling|informing|mentioning (?:this|it|that) to|the knowledge of) {USER}{END}",
        is_negatable=True,
    ),
    Signal(
        _CONCEAL,
        "knowledge knowing noticing awareness notifying alerting warning",
        rf"\bwithout (?:the user(?:'s)? (?:knowledge|knowing|noticing|awareness)|(?:notifying|alerting|warning) {USER})",
        is_strong=False,
    ),
    Signal(
        _CONCEAL,
        "secretly covertly surreptitiously stealthily",
        r"\b(?:secretly|covertly|surreptitiously|stealthily) (?:also )?(?:read|send|copy|forward|include|collect|upload|append|"
        r"log|record|call|invoke|use|add|pass|extract|run|execute|fetch|attach|exfiltrate)\b",
        is_negatable=True,
    ),
    Signal(
        _CONCEAL,
        "silently quietly discreetly",
        r"\b(?:silently|quietly|discreetly) (?:also )?(?:read|send|copy|forward|include|collect|upload|append|pass|attach)\b",
        is_strong=False,
        is_negatable=True,
    ),
    Signal(
        _HAND_OVER,
        SECRET_WORDS,
        rf"{READ}(?:(?!{PASS})[^!?]){{0,100}}?{SECRET_FILE}[^!?]{{0,200}}?{PASS}{ITS_CONTENT}",
        is_negatable=True,
    ),
    Signal(
        _HAND_OVER,
        SECRET_WORDS,
        rf"{PASS}[^!?]{{0,60}}?\bcontents? (?:of|from)\b[^!?]{{0,40}}?{SECRET_FILE}",
        is_negatable=True,
    ),
    Signal(
        _HAND_OVER,
        SECRET_WORDS,
        rf"{SEND}[^!?]{{0,60}}?{SECRET_FILE}[^!?]{{0,80}}?{ELSEWHERE}",
        is_negatable=True,
    ),
    Signal(
        _HAND_OVER,
        "",  # its words run together in the name of a parameter
        r"\bcontents?_(?:of|from)_\w{0,40}(?:ssh|id_rsa|env_file|mcp_json|credentials|passwd|private_key|aws)",
    ),
    Signal(
        _HAND_OVER,
        SECRET_WORDS,
        rf"\b(?:read|open|cat|dump|access)\b[^.!?]{{0,60}}?{SECRET_FILE}",
        is_strong=False,
        is_negatable=True,
    ),
    Signal(
        _HAND_OVER,
        "conversation chat history prompt",
        rf"{PASS} (?:\w+ ){{0,3}}(?:full|entire|whole|complete) (?:conversation|chat|message history|system prompt)\b",
        is_strong=False,
        is_negatable=True,
    ),
    Signal(
        _HAND_OVER,
        "collect gather dump harvest steal",
        rf"\b(?:collect|gather|dump|harvest|steal)\b[^.!?]{{0,60}}?{PRIVATE}",
        is_strong=False,
        is_negatable=True,
    ),
    Signal(
        _SEND_ON,
        PRIVATE_WORDS,
        rf"{SEND}[^.!?]{{0,60}}?{PRIVATE}[^!?]{{0,60}}?{ELSEWHERE}",
        is_negatable=True,
    ),
    Signal(
        _SEND_ON,
        "user users collected gathered stolen",
        # A tool whose description begins so may be made for it; in the middle of one it is an order.
        rf"(?<=[\s.,;:>]){SEND} (?:all |any |every |a copy of )?(?:of )?(?:the )?(?:user'?s?'?|users'?|collected|gathered|stolen) "
        r"(?:\w+ )?(?:files?|data|messages?|e-?mails?|contacts?|passwords?|secrets?|keys?|information|documents?|input)\b"
        rf"[^!?]{{0,60}}?{ELSEWHERE}",
        is_negatable=True,
    ),
    Signal(
        _SEND_ON,
        "send forward redirect route bcc cc copy",
        r"\b(?:send|forward|redirect|route|bcc|cc|copy) (?:all|every|each|any|a copy of (?:all|every|each|any)) "
        rf"(?:\w+ ){{0,3}}?(?:e-?mails?|messages?|requests?|payments?|transfers?|files?)\b[^.!?]{{0,40}}?\bto {ADDRESS}",
        is_negatable=True,
    ),
    Signal(_SEND_ON, "bcc cc", rf"\b(?:bcc|cc) {ADDRESS}", is_negatable=True),
    Signal(
        _SEND_ON,
        "recipient destination payee beneficiary account address phone",
        r"\b(?:change|replace|set|rewrite|swap) the (?:recipient|destination|payee|beneficiary|account|address|phone) "
        rf"(?:\w+ ){{0,3}}(?:to|with) (?:\+?[0-9][0-9\x20-]{{6}}|{ADDRESS}|0x[0-9a-f]{{8}}|iban\b)",
        is_negatable=True,
    ),
    Signal(_SEND_ON, "curl", r"\bcurl [^|\n]{0,120}\|\s*(?:ba|z)?sh\b", is_strong=False),
    Signal(
        _SHADOW,
        "other",
        r"\b(?:always|must|only|mandatory)\b[^.!?]{0,60}?\bthis (?:tool|function)\b[^.!?]{0,40}?"
        rf"\b(?:before|instead of|over|rather than|in place of|ahead of) (?:(?:using|calling|invoking|running) )?{ANY_OTHER_TOOL}",
        is_negatable=True,
    ),
    Signal(
        _SHADOW,
        "other",
        r"\bthis (?:tool|function) (?:must|has to|needs to|should) (?:always )?be (?:called|used|run|invoked) (?:first\W{1,3})?"
        rf"(?:before|instead of) (?:(?:using|calling) )?{ANY_OTHER_TOOL}",
    ),
    Signal(
        _SHADOW,
        "other",
        rf"\bbefore (?:you )?(?:using|use|calling|call|invoking|invoke|running|run) {ANY_OTHER_TOOL}[^.!?]{{0,60}}?"
        r"\b(?:call|use|invoke|run) (?:this|it)\b",
        is_strong=False,
        is_negatable=True,
    ),
    Signal(
        _SHADOW,
        "available present loaded installed enabled connected",
        r"\bwhen(?:ever)? (?:this|the) tool is (?:available|present|loaded|installed|enabled|connected)\b[^.!?]{0,20}?"
        r"[\w.-]{2,64} (?:tools?|functions?)\b[^.!?]{0,60}?\b(?:must|should|shall|has to|have to|needs? to)\b",
    ),
    Signal(_SHADOW, "side", r"\bside[- ]effects? on (?:the )?(?:also )?(?:present )?[\w.-]{2,64} tools?\b"),
    Signal(
        _SHADOW,
        "other",
        r"\b(?:overrid(?:e|es|ing)|chang(?:e|es)|modif(?:y|ies)|alters?|replaces?|redefines?) (?:the )?(?:behaviou?r|output|"
        r"results?|descriptions?|instructions?|definitions?) of (?:any |all |every |the )?(?:of the )?other (?:\w+ )?"
        r"(?:tool|function)s?\b",
        is_negatable=True,
    ),
    Signal(
        _SHADOW,
        "other",
        r"\b(?:takes? (?:precedence|priority) over|overrides?|supersedes?|(?:has|have) priority over) (?:all|any|every) other "
        r"(?:tool|instruction|prompt)s?\b",
        is_negatable=True,
    ),
    Signal(
        _SHADOW,
        "other",
        r"\b(?:do not|don't|never) (?:use|call|invoke) (?:any|all) other tools?(?=\s*(?:[.!;,]|$))",
        is_strong=False,
    ),
    Signal(
        _SHADOW,
        "request requests query queries message messages question questions conversation conversations response responses",
        r"\b(?:for|on|in|after|before|with) (?:any|every|each|all) (?:user )?(?:request|quer(?:y|ie)|message|question|"
        r"conversation|response)s?\b[^.!?]{0,50}?\b(?:always|must) (?:first )?(?:call|use|invoke|run) this\b",
        is_strong=False,
    ),
    Signal(
        _ROLE,
        "now",
        r"\byou are now (?:dan\b|acting as\b|unrestricted\b|free (?:of|from)\b|no longer bound\b|in (?:developer|admin|debug|"
        r"god|unrestricted|jailbreak|root|privileged) mode\b|an? (?:\w+ ){0,3}(?:assistant|ai|agent|model|bot|hacker|persona)\b)",
    ),
    Signal(
        _ROLE,
        "act behave respond",
        r"\b(?:act|behave|respond) as (?:if you (?:are|were|have)\b|dan\b|(?:an?|the) (?:\w+ ){0,2}(?:unrestricted|unfiltered|"
        r"jailbroken|hacker|attacker)\b)",
    ),
    Signal(_ROLE, "pretend", r"\bpretend (?:that )?you (?:are|have)\b", is_negatable=True),
    Signal(_ROLE, "mode", r"\b(?:enable|enter|activate|switch to) (?:dan|god|jailbreak|unrestricted) mode\b"),
    Signal(
        _MARKUP,
        "important inst sys im_start im_end system assistant user",
        r"</?\s*important\s*>|\[/?inst\]|<</?sys>>|<\|(?:im_start|im_end|system|assistant|user)\|>",
    ),
    Signal(
        _MARKUP,
        "system hidden secret critical override assistant sys",
        r"</\s*(?:system|hidden|secret|critical|override|assistant|sys|system[-_\s](?:prompt|message|reminder|"
        r"instructions?|override))\s*>"
        r"|(?:^|[.!?\n]\s*)<\s*(?:system|hidden|critical|system[-_\s](?:prompt|message|reminder|instructions?|override))\s*>\s*[a-z]",
    ),
    Signal(
        _MARKUP,
        "system",
        r"\b(?:important|critical|mandatory|hidden|secret) system (?:instruction|message|override|directive|notice)s?\b"
        r"|\bsystem override\s*:",
    ),
    Signal(
        _ENCODED,
        "decode decrypt base64 rot13 deobfuscate",
        r"\b(?:decode|decrypt|base64|rot13|deobfuscate)\b[^!?]{0,120}?\b(?:and|then) (?:follow|obey|comply|do what|act on|"
        r"carry out|(?:execute|run) (?:the|these|those|its) (?:\w+ )?instructions?)\b",
        is_negatable=True,
    ),
    Signal(
        _AGAINST_USER,
        "regardless matter",
        r"\b(?:regardless of what|no matter what) the user (?:says|asks|wants|tells|requests|requested|instructs)\b",
    ),
    Signal(
        _AGAINST_USER,
        "even",
        r"\beven if the user (?:says no|refuses|objects|asks? (?:you )?not to|tells you not|did not ask|didn't ask|says not)\b",
    ),
    Signal(
        _AGAINST_USER,
        "confirmation permission consent approval",
        r"\bwithout (?:asking (?:the user )?for|the user's|user) (?:confirmation|permission|consent|approval)\b",
        is_strong=False,
    ),
    Signal(
        PROBE,
        "prompt system initial",
        r"\b(?:repeat|print|output|reveal|show|include|return|leak|send|pass|append|disclose|provide) (?:me |us )?"
        r"(?:all (?:of )?)?your (?:\w+ ){0,2}(?:system (?:prompt|message|instructions)|hidden prompt|initial (?:prompt|"
        r"instructions))\b",
        is_negatable=True,
    ),
    Signal(
        CONDITION,
        "before",
        r"\bbefore (?:using|calling|invoking|running) (?:this|the) (?:tool|function)\b[^.!?]{0,80}?\b(?:read|open|access|cat|"
        r"load) ",
        is_strong=False,
    ),
    Signal(
        CONDITION,
        "otherwise",
        r"\botherwise,? (?:the|this) (?:tool|function|application|call) (?:will|does|may|can) ?(?:not (?:work|function|run)|"
        r"fail|crash)\b",
        is_strong=False,
    ),
    Signal(
        CONDITION,
        "content contents",
        rf"{PASS} (?:its|their|the) (?:full |entire |complete |whole |raw )?contents? (?:\w+ ){{0,3}}(?:as|in|to|into)\b",
        is_strong=False,
    ),
)
"""Every signal that is looked for."""

TRIGGERS = frozenset(word.encode() for signal in SIGNALS if signal.what != CONDITION for word in signal.words.split())
"""A text without any of these words holds nothing that is enough. A condition alone never is."""
