"""The words of the language, for `wavemodel.lexer`. Made by editors/vscode/syntaxes/make.mjs; change it there."""

KEYWORDS = {
    "keyword.control.wave": "if then else for when expect",
    "keyword.control.import.wave": "import",
    "keyword.operator.word.wave": "and or not div mod",
    "keyword.other.wave": "in require table flops",
    "constant.language.boolean.wave": "true false",
    "storage.type.wave": "fn let param type model machine interface protocol procedure process collective grid rec output study test",
    "storage.modifier.wave": "override",
}
TYPES = """\
axis
bool
data
int
level
order
real
string
time
work
""".split("\n")[:-1]
OPENERS = """\
acquire
across
after
along
as
await
busy
by
emit
extends
from
irecv
isend
key
levels
measured
of
on
over
phase
plot
priority
recv
repeat
resource
send
sendrecv
servers
set
show
sweep
tag
tiles
to
using
value
vary
via
vs
wait
waitany
window
within
""".split("\n")[:-1]
AFTER_NAMES = """\
across
after
along
and
as
by
div
else
extend
extends
for
from
if
in
levels
mod
nodes
of
on
or
over
servers
tag
then
tiles
to
using
via
vs
when
window
within
wrap
""".split("\n")[:-1]
UNITS = """\
ps
ns
us
ms
s
min
h
bit
B
kB
MB
GB
TB
KiB
MiB
GiB
TiB
kbit
Mbit
Gbit
flop
kflop
Mflop
Gflop
Tflop
Pflop
Hz
kHz
MHz
GHz
""".split("\n")[:-1]
DECLARING = """\
fn
procedure
collective
protocol
rec
model
machine
interface
type
study
grid
resource
param
let
output
process
""".split("\n")[:-1]
FORMS = r"""\
^[ \t]*(wave)(?=[ \t]+[0-9])
\b(export)(?=[ \t]+import\b)
\b(on)[ \t]+(arrival)[ \t]+(of)\b
\b(await)[ \t]+(sent)(?=[ \t]+(?!(?:via|after)\b)\w)
\b(on)[ \t]+(log|linear)\b(?:[ \t]*,[ \t]*(log|linear)\b)?
\b(from|to)[ \t]+(upwind|downwind|root)\b
\b(irecv|recv|sweep)(?=[ \t]+from\b)
\b(receiver|sender|ready|task)(?=[ \t]*\{)
\b(task)(?=[ \t]+(?:when|priority)\b)
\b(waitall)\b(?![ \t]*(?:/(?!/)|[-+*^.:=,()\[\]<>!]))
(?<=[\w)\]] )(wrap)(?=[ \t]*[,\]])
(?<=\] )(nodes)(?=[ \t]*\()
(?<=\] )(levels)(?=[ \t]*\{)
(?<=: )(blocks)(?=[ \t]*\()
(?:(?<=\} )|(?<=\})|(?<=" ))(linear|step|log)\b(?:[ \t]+(extend)\b)?
^[ \t]*(linear|step|log)\b(?:[ \t]+(extend)\b|(?=[ \t]*$))
\b(value)[ \t]+\w+[ \t]+(linear|step|log)\b(?:[ \t]+(extend)\b)?
(?<=\()(double|float|int|real)(?=\))
\b(by)(?=[ \t]+[*-]\w)
(?<!\bin )(?<!\bwindow )\b(after|busy|by|irecv|isend|recv|repeat|send|sendrecv|servers|show|tag|tiles|using|within)(?=[ \t]+(?:if|when)\b)
""".split("\n")[1:-1]
