"""The instructions that identify poisoned descriptions, as patterns over folded text.

Sources: Invariant Labs, "Tool Poisoning Attacks" (2025); Trail of Bits, "Jumping the line" (2025); CyberArk, "Poison
everywhere" (2025); the MCPTox benchmark; OWASP MCP Top 10, MCP03. In a pattern, a space represents any whitespace. No
pattern repeats an unbounded part inside another, so that each takes linear time.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.records import NamedTuple

USER = r"(?:the |your |any )?(?:user|human|person|customer|operator|anyone|anybody)s?\b"
USER_WORDS = "user users human humans person customer customers operator anyone anybody"
NOT = r"\b(?:do not|don't|must not|mustn't|should not|shouldn't|never|not to|refrain from|avoid) (?:ever )?"
NOT_WORDS = "not don mustn shouldn never refrain avoid"
THIS = r"(?:this|that|it|these|any of (?:this|it|these))"
# The continuation of "do not tell the user" if it conceals something, unlike "… to …" and "… until it is done".
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
SEND = (
    r"\b(?:send|forward|post|upload|transmit|exfiltrate|leak|copy|e-?mail|deliver|submit|relay|report|"
    r"mail)\b"
)
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


class Signal(NamedTuple):
    """A kind of instruction: its effect on the model, the words it needs, and its wording. Text must contain one word
    of each set. One strong signal is sufficient; otherwise, two of different kinds are required. A negatable one means
    the opposite after "do not".
    """

    what: str
    words: tuple[frozenset[bytes], ...]
    pattern: str
    is_strong: bool
    is_negatable: bool


_CONDITION = "makes reading a file a condition of the call"


def _signals(
    what: str, *wordings: tuple[str, str], is_strong: bool = True, is_negatable: bool = False
) -> tuple[Signal, ...]:
    return tuple(Signal(what, tuple(_words(sets)), pattern, is_strong, is_negatable) for sets, pattern in wordings)


def _words(sets: str) -> Iterator[frozenset[bytes]]:
    for words in filter(None, sets.split("&")):
        yield frozenset(word.encode() for word in words.split())


# fmt: off
SIGNALS: tuple[Signal, ...] = (
    *_signals(
        "tells the model to drop its instructions",
        ("ignore disregard forget override bypass discard & instruction instructions direction directions directive "
         "directives guideline guidelines guardrail guardrails",
         r"\b(?:ignore|disregard|forget|override|bypass|discard) (?:(?:all|any|every|the|your|of|these|those|other|my) "
         r"){0,4}(?:previous|prior|above|earlier|preceding|existing|original|former|system|safety|initial)(?:ly)? "
         r"(?:(?:and|or|system|safety|user|developer|the|given|security) ){0,2}(?:instruction|direction|directive|"
         r"guideline|guardrail)s?\b"),
        # a parameter may legitimately "override the system prompt"
        ("ignore disregard forget & prompt prompts",
         r"\b(?:ignore|disregard|forget) (?:(?:all|any|every|the|your|of|these|those) ){0,3}(?:previous|prior|above|"
         r"earlier|preceding|system) (?:system |user )?prompts?\b"),
        ("ignore disregard forget override bypass & your",
         r"\b(?:ignore|disregard|forget|override|bypass) (?:all (?:of )?)?your (?:\w+ ){0,2}(?:instructions?|"
         r"guidelines?|rules|prompt|training|guardrails|programming|polic(?:y|ies)|restrictions|constraints)\b"),
        ("ignore disregard forget & everything anything all what",
         r"\b(?:forget|disregard|ignore) (?:everything|anything|all|what) (?:(?:that )?(?:you|has been said)\b|"
         r"(?:above|before|prior|previous)(?=\s*(?:[.,;:!]|$|\band\b)))"),
        ("attention & no & told above before previous earlier instructions rules",
         r"\bpay no attention to (?:what|anything|everything|all|any|the|your) (?:\w+ ){0,3}(?:told|above|before|"
         r"previous|earlier|instructions|rules)\b"),
        ("instructions rules guidelines & previous earlier prior your & apply void obsolete cancelled",
         r"\b(?:previous|earlier|prior|your) (?:\w+ ){0,2}(?:instructions|rules|guidelines) (?:no longer apply|do not "
         r"apply any|are (?:now )?(?:void|obsolete|cancelled))\b"),
        ("disregard forget ignore & guidelines instructions rules & received given",
         r"\b(?:disregard|forget|ignore) (?:all |any )?(?:the )?(?:guidelines|instructions|rules) (?:that )?you "
         r"(?:received|have|were (?:given|told)|got)\b"),
        ("instructions instruction & new updated revised real actual secret",
         r"(?:^|[.!?\n\]>-]\s*)(?:your )?(?:new|updated|revised|real|actual|secret) (?:system )?instructions?\s*(?::|"
         r"follow\b)"),
    ),
    *_signals(
        "tells the model to keep something from the user",
        (f"tell telling inform informing & {USER_WORDS} & {NOT_WORDS}",
         rf"{NOT}(?:tell|telling|inform|informing) {USER}{END}"),
        (f"notify notifying alert alerting warn warning ask asking & {USER_WORDS} & {NOT_WORDS}",
         rf"{NOT}(?:notify|notifying|alert|alerting|warn|warning|ask|asking) {USER}{OF_THIS}"),
        (f"let letting & {USER_WORDS} & know see notice find & {NOT_WORDS}",
         rf"{NOT}(?:let|letting) {USER} (?:know|see|notice|find out){END}"),
        (f"mention mentioning acknowledge discuss say admit disclose reveal & {USER_WORDS} & {NOT_WORDS}",
         rf"{NOT}(?:mention|acknowledge|discuss|say|admit|disclose|reveal)(?:ing)? {THIS}(?: (?:step|fact|instruction|"
         rf"action|process|detail|requirement|access|behaviou?r|call|note|part|read)s?)? (?:to|with) {USER}"),
        ("mention mentioning reveal disclose discuss acknowledge repeat show output explain & instruction "
         f"instructions directive directives step steps requirement requirements & {NOT_WORDS}",
         rf"{NOT}(?:mention|reveal|disclose|discuss|acknowledge|repeat|show|output|explain)(?:ing)? (?:these|this|the "
         r"above|the following|your|such) (?:hidden |extra )?(?:instructions?|directives?|steps?|requirements?)\b"),
        (f"mention mentioning reveal disclose admit acknowledge explain tell & you & {NOT_WORDS}",
         rf"{NOT}(?:mention|reveal|disclose|admit|acknowledge|explain|tell \w+)(?:ing)? (?:to the user )?that "
         r"you(?:'re|'ve|'d| (?:first|also|have|had|are|were|need|needed|read|used?|called|sent|did|must|just|"
         r"access\w*))\b"),
        (f"reveal disclose admit tell say & anyone anybody & that & {NOT_WORDS}",
         rf"{NOT}(?:reveal|disclose|admit|tell|say)(?: to)? (?:anyone|anybody) that (?:this (?:tool|call|function)|"
         r"you)\b"),
        ("asked asks & if & lie deny pretend",
         r"\bif (?:you are |you're |the user |anyone |someone )?(?:ever )?asked?s?\b[^.!?]{0,60}?[ ,](?:lie|deny|"
         r"pretend)\b"),
        (f"mention & {NOT_WORDS}", rf"{NOT}mention {THIS}(?=\s*(?:[.!<]|$))"),
        ("know notice learn told informed aware find & user & must should shall may & not never",
         r"\bthe user (?:must|should|shall|may) (?:not|never) (?:know|notice|find out|learn|be (?:told|informed|"
         rf"made aware|aware)){END}"),
    ),
    *_signals(
        "tells the model to keep something from the user",
        ("keep & secret hidden confidential private & from",
         rf"\bkeep (?:this|it|that|these) (?:\w+ )?(?:a )?(?:secret|hidden|confidential|private) from {USER}"),
        ("conceal hide & from",
         r"\b(?:conceal (?:this|it|that|these)(?: \w+)?|(?:hide|conceal) (?:the fact\b[^.!?]{0,60}|what you \w+)) "
         rf"from {USER}"),
        (f"telling informing mentioning knowledge & without & {USER_WORDS}",
         rf"\bwithout (?:telling|informing|mentioning (?:this|it|that) to|the knowledge of) {USER}{END}"),
        ("secretly covertly surreptitiously stealthily",
         r"\b(?:secretly|covertly|surreptitiously|stealthily) (?:also )?(?:read|send|copy|forward|include|collect|"
         r"upload|append|log|record|call|invoke|use|add|pass|extract|run|execute|fetch|attach|exfiltrate)\b"),
        is_negatable=True,
    ),
    *_signals(
        "tells the model to keep something from the user",
        (f"notify alert warn & {USER_WORDS} & {NOT_WORDS}", rf"{NOT}(?:notify|alert|warn) {USER}{FULL_STOP}"),
        (f"mention reveal disclose show share expose report & {USER_WORDS} & {NOT_WORDS}",
         rf"{NOT}(?:mention|reveal|disclose|show|share|expose|report) {THIS} (?:to|with) {USER}"),
        (f"knowledge knowing noticing awareness notifying alerting warning & without & {USER_WORDS}",
         rf"\bwithout (?:the user(?:'s)? (?:knowledge|knowing|noticing|awareness)|(?:notifying|alerting|warning) "
         rf"{USER})"),
        ("silently quietly discreetly",
         r"\b(?:silently|quietly|discreetly) (?:also )?(?:read|send|copy|forward|include|collect|upload|append|pass|"
         r"attach)\b"),
        is_strong=False,
    ),
    *_signals(
        "asks for a credentials file or private data",
        (SECRET_WORDS,
         rf"(?>{READ}[^!?]{{0,100}}?{SECRET_FILE})(?=[^!?]{{0,200}}?{PASS}{ITS_CONTENT})"),
        (SECRET_WORDS, rf"{PASS}[^!?]{{0,60}}?\bcontents? (?:of|from)\b[^!?]{{0,40}}?{SECRET_FILE}"),
        (SECRET_WORDS,
         rf"\b(?:print|output|reply|answer|respond)\b[^.!?]{{0,30}}?\bcontents? of (?:[~$\w/]{{1,30}})?{SECRET_FILE}"),
        ("environment conversation chat & encode base64 & append include send pass add",
         rf"\bencode [^.!?]{{0,30}}?{PRIVATE}[^.!?]{{0,20}}?\b(?:append|include|send|pass|add) (?:it|them)\b"),
        (SECRET_WORDS, rf"{SEND}[^!?]{{0,60}}?{SECRET_FILE}[^!?]{{0,80}}?{ELSEWHERE}"),
        ("",  # the words of such a parameter's name run together
         r"\bcontents?_from_\w{0,40}(?:ssh|id_rsa|env_file|mcp_json|credentials|passwd|private_key|aws)"),
        is_negatable=True,
    ),
    *_signals(
        "asks for a credentials file or private data",
        (SECRET_WORDS, rf"\b(?:read|open|cat|dump|access)\b[^.!?]{{0,60}}?{SECRET_FILE}"),
        ("conversation chat history prompt & full entire whole complete",
         rf"{PASS} (?:\w+ ){{0,3}}(?:full|entire|whole|complete) (?:conversation|chat|message history|system "
         rf"prompt)\b"),
        is_strong=False,
        is_negatable=True,
    ),
    *_signals(
        "asks the model to send data elsewhere",
        (f"{PRIVATE_WORDS} & {SEND_WORDS} & to", rf"{SEND}[^.!?]{{0,60}}?{PRIVATE}[^!?]{{0,60}}?{ELSEWHERE}"),
        # at the start of a description it may be the tool's purpose; later it is an instruction
        (f"user users collected gathered stolen & {SEND_WORDS} & to",
         rf"(?<=[\s.,;:>]){SEND} (?:all |any |every |a copy of )?(?:of )?(?:the )?(?:user'?s?'?|users'?|collected|"
         rf"gathered|"
         r"stolen) (?:\w+ )?(?:files?|data|messages?|e-?mails?|contacts?|passwords?|secrets?|keys?|information|"
         rf"documents?|input)\b[^!?]{{0,60}}?{ELSEWHERE}"),
        ("send forward redirect route bcc cc copy & email emails mail mails message messages request requests "
         "payment payments transfer transfers file files & to",
         r"\b(?:send|forward|redirect|route|bcc|cc|copy) (?:all|every|each|any|a copy of (?:all|every|each|any)) "
         rf"(?:\w+ ){{0,3}}?(?:e-?mails?|messages?|requests?|payments?|transfers?|files?)\b[^.!?]{{0,40}}?\bto "
         rf"{ADDRESS}"),
        ("secret secrets password passwords credential credentials key keys & every all any & you & send forward post "
         "mail",
         r"\b(?:send|forward|post|mail) (?:every|all|any) (?:the )?(?:secret|password|credential|(?:api )?key)s? "
         r"(?:that )?you (?:know|have|can|find|see)\b"),
        ("bcc cc", rf"\b(?:bcc|cc) {ADDRESS}"),
        ("recipient destination payee beneficiary account address phone & change replace set rewrite swap",
         r"\b(?:change|replace|set|rewrite|swap) the (?:recipient|destination|payee|beneficiary|account|address|phone) "
         rf"(?:\w+ ){{0,3}}(?:to|with) (?:\+?[0-9][0-9\x20-]{{6}}|{ADDRESS}|0x[0-9a-f]{{8}}|iban\b)"),
        is_negatable=True,
    ),
    *_signals(
        "tells the model how to use other tools",
        ("other & tool function & always must only mandatory",
         r"\b(?:always|must|only|mandatory)\b[^.!?]{0,60}?\bthis (?:tool|function)\b[^.!?]{0,40}?\b(?:before|instead "
         r"of|"
         rf"over|rather than|in place of|ahead of) (?:(?:using|calling|invoking|running) )?{ANY_OTHER_TOOL}"),
        ("other & tool function & before instead & called used run invoked",
         r"\bthis (?:tool|function) (?:must|has to|needs to|should) (?:always )?be (?:called|used|run|invoked) "
         rf"(?:first\W{{1,3}})?(?:before|instead of) (?:(?:using|calling) )?{ANY_OTHER_TOOL}"),
        ("available present loaded installed enabled connected & when whenever & must should shall has have need "
         "needs & tool & this the",
         r"\bwhen(?:ever)? (?:this|the) tool is (?:available|present|loaded|installed|enabled|"
         r"connected)\b[^.!?]{0,20}?[\w.-]{2,64} (?:tools?|functions?)\b[^.!?]{0,60}?\b(?:must|should|shall|has to|"
         r"have to|needs? to)\b"),
        ("side & effect effects & tool tools",
         r"\bside[- ]effects? on (?:the )?(?:also )?(?:present )?[\w.-]{2,64} tools?\b"),
        ("other & tool tools function functions & behaviour behavior output result results description descriptions "
         "instruction instructions definition definitions",
         r"\b(?:overrid(?:e|es|ing)|chang(?:e|es)|modif(?:y|ies)|alters?|replaces?|redefines?) (?:the )?(?:behaviou?r|"
         r"output|results?|descriptions?|instructions?|definitions?) of (?:any |all |every |the )?(?:of the )?other "
         r"(?:\w+ )?(?:tool|function)s?\b"),
        ("other & precedence priority override overrides supersede supersedes",
         r"\b(?:takes? (?:precedence|priority) over|overrides?|supersedes?|(?:has|have) priority over) (?:all|any|"
         r"every) other (?:tool|instruction|prompt)s?\b"),
        is_negatable=True,
    ),
    *_signals(
        "tells the model how to use other tools",
        ("other & before & tool tools function functions",
         rf"\bbefore (?:you )?(?:using|use|calling|call|invoking|invoke|running|run) {ANY_OTHER_TOOL}[^.!?]{{0,60}}?"
         r"\b(?:call|use|invoke|run) (?:this|it)\b"),
        ("any every each all & always must & call use invoke run & this",
         r"\b(?:for|on|in|after|before|with) (?:any|every|each|all) (?:user )?(?:request|quer(?:y|ie)|message|question|"
         r"conversation|response)s?\b[^.!?]{0,50}?\b(?:always|must) (?:first )?(?:call|use|invoke|run) this\b"),
        is_strong=False,
    ),
    *_signals(
        "gives the model another role",
        ("now & you",
         r"\byou are now (?:dan\b|acting as\b|unrestricted\b|free (?:of|from)\b|no longer bound\b|in (?:developer|"
         r"admin|debug|god|unrestricted|jailbreak|root|privileged) mode\b|an? (?:\w+ ){0,3}(?:assistant|ai|agent|model|"
         r"bot|hacker|persona)\b)"),
        ("act behave respond & if dan unrestricted unfiltered jailbroken hacker attacker",
         r"\b(?:act|behave|respond) as (?:if you (?:are|were|have)\b|dan\b|(?:an?|the) (?:\w+ ){0,2}(?:unrestricted|"
         r"unfiltered|jailbroken|hacker|attacker)\b)"),
        ("pretend & you", r"\bpretend (?:that )?you (?:are|have)\b"),
        ("mode & dan god jailbreak unrestricted",
         r"\b(?:enable|enter|activate|switch to) (?:dan|god|jailbreak|unrestricted) mode\b"),
        is_negatable=True,
    ),
    *_signals(
        "imitates the markup of a system prompt",
        ("important inst sys im_start im_end",
         r"</?\s*important\s*>|\[/?inst\]|<</?sys>>|<\|(?:im_start|im_end)\|>"),
        ("system hidden secret critical override assistant sys",
         r"</\s*(?:system|hidden|secret|critical|override|assistant|sys|system[-_\s](?:prompt|message|reminder|"
         r"instructions?|override))\s*>|(?:^|[.!?\n]\s*)<\s*(?:system|hidden|critical|system[-_\s](?:prompt|message|"
         r"reminder|instructions?|override))\s*>\s*[a-z]"),
        ("system & instruction instructions message messages override directive directives notice notices",
         r"\b(?:important|critical|mandatory|hidden|secret) system (?:instruction|message|override|directive|"
         r"notice)s?\b|\bsystem override\s*:"),
    ),
    *_signals(
        "asks the model to follow encoded instructions",
        ("decode decrypt base64 rot13 deobfuscate & and then & follow obey comply do act carry execute run",
         r"\b(?:decode|decrypt|base64|rot13|deobfuscate)\b[^!?]{0,120}?\b(?:and|then) (?:follow|obey|comply|do what|"
         r"act on|carry out|(?:execute|run) (?:the|these|those|its) (?:\w+ )?instructions?)\b"),
        is_negatable=True,
    ),
    *_signals(
        "puts the tool above the user's requests",
        ("regardless matter & user & what",
         r"\b(?:regardless of what|no matter what) the user (?:says|asks|wants|tells|requests|requested|instructs)\b"),
        ("even & if & user & says refuses objects ask asks tells ask",
         r"\beven if the user (?:says no|refuses|objects|asks? (?:you )?not to|tells you not|did not ask|didn't ask|"
         r"says not)\b"),
    ),
    *_signals(
        "puts the tool above the user's requests",
        ("confirmation permission consent approval & without",
         r"\bwithout (?:asking (?:the user )?for|the user's|user) (?:confirmation|permission|consent|approval)\b"),
        is_strong=False,
    ),
    *_signals(
        "asks for the model's own instructions",
        ("prompt system initial & your",
         r"\b(?:repeat|print|output|reveal|show|include|return|leak|send|pass|append|disclose|provide) (?:me |us "
         r")?(?:all (?:of )?)?your (?:\w+ ){0,2}(?:system (?:prompt|message|instructions)|hidden prompt|initial "
         r"(?:prompt|instructions))\b"),
        is_negatable=True,
    ),
    *_signals(
        _CONDITION,
        ("before & tool function & read open access cat load",
         r"\bbefore (?:using|calling|invoking|running) (?:this|the) (?:tool|function)\b[^.!?]{0,80}?\b(?:read|open|"
         r"access|cat|load) "),
        ("otherwise & work function run fail crash",
         r"\botherwise,? (?:the|this) (?:tool|function|application|call) (?:will|does|may|can) ?(?:not (?:work|"
         r"function|run)|fail|crash)\b"),
        ("content contents & its their the",
         rf"{PASS} (?:its|their|the) (?:full |entire |complete |whole |raw )?contents? (?:\w+ ){{0,3}}(?:as|in|to|"
         rf"into)\b"),
        is_strong=False,
    ),
)
# fmt: on
"""Every signal that is looked for."""
