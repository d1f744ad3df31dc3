// The words and symbols of Wave. What follows a number (its unit), and separators that the end of a line
// implies, are settled after this lexer by frontend/parse/prepare.cpp.
lexer grammar WaveLexer;

// QUANTITY is a number joined with its unit: `0.07 us/B`.
tokens { QUANTITY }

// ---- comments and blanks -------------------------------------------------------------------------------

channels { COMMENTS }

DOC      : '///' (~[/\r\n] IN_LINE* | '\r'+ ~[\r\n] IN_LINE*)? -> channel(COMMENTS) ;
COMMENT  : '//' IN_LINE* -> channel(COMMENTS) ;
// A carriage return ends no line by itself.
fragment IN_LINE : ~[\r\n] | '\r'+ ~[\r\n] ;
BLANK    : [ \t\r\n\uFEFF]+ -> skip ;

// ---- keywords: never names -------------------------------------------------------------------------------

AND        : 'and' ;
COLLECTIVE : 'collective' ;
DIV        : 'div' ;
ELSE       : 'else' ;
EXPECT     : 'expect' ;
FALSE      : 'false' ;
FLOPS      : 'flops' ;
FN         : 'fn' ;
FOR        : 'for' ;
GRID       : 'grid' ;
IF         : 'if' ;
IMPORT     : 'import' ;
IN         : 'in' ;
INTERFACE  : 'interface' ;
LET        : 'let' ;
MACHINE    : 'machine' ;
MOD        : 'mod' ;
MODEL      : 'model' ;
NOT        : 'not' ;
OR         : 'or' ;
OUTPUT     : 'output' ;
OVERRIDE   : 'override' ;
PARAM      : 'param' ;
PROCEDURE  : 'procedure' ;
PROCESS    : 'process' ;
PROTOCOL   : 'protocol' ;
REC        : 'rec' ;
REQUIRE    : 'require' ;
STUDY      : 'study' ;
TABLE      : 'table' ;
TEST       : 'test' ;
THEN       : 'then' ;
TRUE       : 'true' ;
TYPE       : 'type' ;
WHEN       : 'when' ;

// ---- words with a meaning in their place, names elsewhere ---------------------------------------------------

ACQUIRE    : 'acquire' ;
ACROSS     : 'across' ;
AFTER      : 'after' ;
ALONG      : 'along' ;
ARRIVAL    : 'arrival' ;
AS         : 'as' ;
AWAIT      : 'await' ;
BLOCKS     : 'blocks' ;
BUSY       : 'busy' ;
BY         : 'by' ;
DOUBLE     : 'double' ;
DOWNWIND   : 'downwind' ;
EMIT       : 'emit' ;
EXPORT     : 'export' ;
EXTEND     : 'extend' ;
EXTENDS    : 'extends' ;
FLOAT      : 'float' ;
FROM       : 'from' ;
INT        : 'int' ;
IRECV      : 'irecv' ;
ISEND      : 'isend' ;
KEY        : 'key' ;
LEVELS     : 'levels' ;
LINEAR     : 'linear' ;
LOG        : 'log' ;
MEASURED   : 'measured' ;
NODES      : 'nodes' ;
OF         : 'of' ;
ON         : 'on' ;
OVER       : 'over' ;
PHASE      : 'phase' ;
PLOT       : 'plot' ;
PRIORITY   : 'priority' ;
READY      : 'ready' ;
REAL       : 'real' ;
RECEIVER   : 'receiver' ;
RECV       : 'recv' ;
REPEAT     : 'repeat' ;
RESOURCE   : 'resource' ;
ROOT       : 'root' ;
SEND       : 'send' ;
SENDER     : 'sender' ;
SENDRECV   : 'sendrecv' ;
SENT       : 'sent' ;
SERVERS    : 'servers' ;
SET        : 'set' ;
SHOW       : 'show' ;
STEP       : 'step' ;
SWEEP      : 'sweep' ;
TAG        : 'tag' ;
TASK       : 'task' ;
TILES      : 'tiles' ;
TO         : 'to' ;
UPWIND     : 'upwind' ;
USING      : 'using' ;
VALUE      : 'value' ;
VARY       : 'vary' ;
VIA        : 'via' ;
VS         : 'vs' ;
WAIT       : 'wait' ;
WAITALL    : 'waitall' ;
WAITANY    : 'waitany' ;
WAVE       : 'wave' ;
WINDOW     : 'window' ;
WITHIN     : 'within' ;
WRAP       : 'wrap' ;

IDENTIFIER : [A-Za-z_] [A-Za-z_0-9]* ;

// ---- literals --------------------------------------------------------------------------------------------------

INTEGER  : [0-9]+ ;
DECIMAL  : [0-9]+ ('.' [0-9]+)? ([eE] [+\-]? [0-9]+)? ;
STRING   : '"' (~["\\\r\n] | '\\' ~[\r\n])* '"' ;
UNCLOSED_STRING : '"' (~["\\\r\n] | '\\' ~[\r\n])* '\\'? ;

// ---- symbols -----------------------------------------------------------------------------------------------------

UNCERTAIN     : '\u00B1' | '+-' ;
DOTS          : '..' ;
DOT           : '.' ;
COMMA         : ',' ;
SEMICOLON     : ';' ;
COLON         : ':' ;
EQUAL         : '==' ;
NOT_EQUAL     : '!=' ;
LESS_EQUAL    : '<=' ;
GREATER_EQUAL : '>=' ;
LESS          : '<' ;
GREATER       : '>' ;
ASSIGN        : '=' ;
PLUS          : '+' ;
MINUS         : '-' ;
STAR          : '*' ;
SLASH         : '/' ;
CARET         : '^' ;
BAR           : '|' ;
LPAREN        : '(' ;
RPAREN        : ')' ;
LBRACKET      : '[' ;
RBRACKET      : ']' ;
LBRACE        : '{' ;
RBRACE        : '}' ;

// What other languages write, so that the message can say what Wave writes.
FOREIGN : '&&' | '||' | '**' | '=>' | '->' | ':=' | '<>' | '++' | '--' | '+=' | '-=' | '*=' | '/=' | '/*' | '*/' ;

// Nothing is left to the lexer's own error handling: whatever begins nothing above is a token of its own,
// letters outside ASCII as a whole word.
FOREIGN_WORD  : [A-Za-z_0-9]* [\u00AA-\u00B0\u00B2-\u00D6\u00D8-\u00F6\u00F8-\u1FFF\u3040-\uD7FF]
                [A-Za-z_0-9\u00AA-\u00B0\u00B2-\u00D6\u00D8-\u00F6\u00F8-\u1FFF\u3040-\uD7FF]* ;
UNKNOWN       : . ;
