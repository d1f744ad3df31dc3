// The grammar of Wave. Expressions are layered, one rule per precedence, and decided by one or two tokens.
// It relies on two things that prepare.cpp does to the tokens first: a number and its unit are one QUANTITY,
// and where an expression would otherwise stand beside another (arms of `when`, local `let`s before a
// body, statements of `flops`) the end of a line has become a SEMICOLON.
parser grammar WaveParser;
options { tokenVocab = WaveLexer; }

// ---- entry points -----------------------------------------------------------------------------------------

module : edition? items EOF ;
edition : WAVE INTEGER ;
items : (item | SEMICOLON)* ;
lone_expression : expression EOF ;
// Clauses of a study without their words, as an option of the command line has them.
lone_vary : path (ASSIGN expression)? EOF ;
lone_show : shown (COMMA shown)* EOF ;

// ---- declarations -------------------------------------------------------------------------------------------

// Which may stand where is checked when the tree is built.
item
  : import_item | param_item | let_item | function_item | record_item | require_item | override_item
  | protocol_item | levels_item | resource_item | collective_item | interface_item | machine_item | grid_item | recurrence_item
  | process_item | procedure_item | output_item | model_item | study_item | test_item
  ;
override_item : OVERRIDE (function_item | protocol_item | resource_item | collective_item | param_item | let_item) ;

import_item : EXPORT? IMPORT (STRING | path) (AS name)? (LBRACE imported_name (COMMA imported_name)* COMMA? RBRACE)? ;
imported_name : name (AS name)? ;
path : name (DOT any_name)* ;

param_item : PARAM name COLON type (ASSIGN expression)? (IN value_range)? (FROM STRING)? ;
value_range : uncertain DOTS uncertain? | DOTS uncertain ;
let_item : LET name (COLON type)? ASSIGN expression ;

function_item : FN name parameters (COLON type)? (ASSIGN body)? ;
parameters : LPAREN (parameter (COMMA parameter)* COMMA?)? RPAREN ;
parameter : name (COLON type)? (ASSIGN expression)? ;
body : (local_let SEMICOLON+)* expression ;
local_let : LET name (COLON type)? ASSIGN expression ;

record_item : TYPE name typed_names ;
typed_names : LBRACE (typed_name (COMMA typed_name)* COMMA?)? RBRACE ;
typed_name : name COLON type ;

require_item : REQUIRE expression COMMA expression ;

protocol_item : PROTOCOL name parameters protocol_clause* LBRACE protocol_end* RBRACE ;
protocol_clause : WINDOW expression | WHEN expression ;
protocol_end : (SENDER | RECEIVER) block | SEMICOLON ;

levels_item : LEVELS name (COMMA name)* ;
resource_item : RESOURCE name (LBRACKET name COLON expression RBRACKET)? OF (PROCESS | name) (SERVERS expression)? ;

collective_item
  : COLLECTIVE name ((FROM | TO) ROOT)? parameters (COLON type)? (ASSIGN expression | ON name axes? block)? ;
axes : LBRACKET axis (COMMA axis)* COMMA? RBRACKET ;
axis : name COLON expression ;

members : LBRACE items RBRACE ;
interface_item : INTERFACE name members ;
machine_item : MACHINE name (COLON path)? (EXTENDS path)? members ;
model_item : MODEL name members ;

grid_item : GRID name LBRACKET grid_axis (COMMA grid_axis)* COMMA? RBRACKET (NODES grid_blocks | LEVELS grid_levels)? ;
grid_blocks : LPAREN expression (COMMA expression)* RPAREN ;
grid_levels : LBRACE SEMICOLON* (grid_level (SEMICOLON grid_level?)*)? RBRACE ;
grid_level : name COLON (BLOCKS grid_blocks | expression) ;
grid_axis : name COLON expression WRAP? ;

recurrence_item : REC name LBRACKET index_axis (COMMA index_axis)* COMMA? RBRACKET (OVER name)? COLON type
                  ASSIGN body (ELSE expression)? ;
index_axis : name (IN expression)? ;

process_item : PROCESS name ON name USING expression block ;
procedure_item : PROCEDURE name parameters ON name axes? block ;

output_item : OUTPUT name (LBRACKET binder (COMMA binder)* COMMA? RBRACKET)? ASSIGN expression (IN unit)? ;
unit : unit_power ((SLASH | STAR) unit_power)* ;
unit_power : name (CARET MINUS? INTEGER)? ;

study_item : STUDY name OF path LBRACE study_clause* RBRACE ;
study_clause
  : VARY path IN expression
  | SET setting (COMMA setting)*
  | SHOW shown (COMMA shown)*
  | PLOT plotted VS plotted (BY name)? (ON name (COMMA name)*)?
  | MEASURED STRING ON name
  | SEMICOLON
  ;
setting : name ASSIGN expression ;
shown : (name ASSIGN)? expression (IN unit)? ;
plotted : uncertain (COMMA uncertain)* ;

test_item : TEST STRING LBRACE test_step* RBRACE ;
test_step : local_let | expectation | SEMICOLON ;
expectation : EXPECT expression (WITHIN expression)? (FOR binder (COMMA binder)*)? ;

// ---- types -----------------------------------------------------------------------------------------------------

type
  : LBRACKET type RBRACKET
  | TABLE LPAREN type (COMMA type)* RPAREN COLON type
  | FN LPAREN (typed_name (COMMA typed_name)* COMMA?)? RPAREN COLON type
  | type_power ((STAR | SLASH) type_power)* (choice_word+ | typed_names)?
  ;
type_power : (path | INTEGER) (CARET MINUS? INTEGER)? ;
choice_word : BAR name ;

// ---- statements of processes, procedures, protocols, algorithms ---------------------------------------------------

// A word with a parenthesis after it is a call, `wait(3)`, unless what follows makes a statement of it: `send (a) to [i]`.
// In the ends of protocols, which call nothing, `busy (t)` is a step.
block : LBRACE statement* RBRACE ;
statement
  : local_let
  | SEMICOLON
  | message
  | exchange
  | call
  | WAIT name
  | WAITALL
  | first_of
  | ready_list
  | task
  | SWEEP FROM sweep_from TILES expression block
  | REPEAT expression block
  | FOR binder (COMMA binder)* block
  | condition
  | PHASE STRING block
  | BUSY expression
  | EMIT name via* AFTER expression
  | AWAIT SENT name (AFTER expression)?
  | AWAIT name via* (AFTER expression)?
  | ACQUIRE used FOR expression
  | ON ARRIVAL OF name (BUSY expression | block)
  ;
via : VIA used FOR expression ;
used : name (LBRACKET expression RBRACKET)? ;
message : (SEND | ISEND) expression TO peer message_clause* | (RECV | IRECV) expression? FROM peer message_clause* ;
message_clause : TAG expression | AS name ;
first_of : WAITANY name (COMMA name)* ;
ready_list : READY block ;
task : TASK (WHEN message (COMMA message)*)? (PRIORITY expression)? block ;
exchange : SENDRECV size=expression TO to=peer (TAG to_tag=expression)? FROM from=peer (TAG from_tag=expression)? ;
peer : (UPWIND | DOWNWIND) (name | LPAREN name (COMMA name)* RPAREN) | name? LBRACKET expression (COMMA expression)* RBRACKET ;
sweep_from : LBRACE expression (COMMA expression)* COMMA? RBRACE | expression ;
condition : IF expression block (ELSE (condition | block))? ;
call : name (DOT any_name)* LPAREN arguments? RPAREN ((ALONG | WITHIN | ACROSS) name)? ;

// ---- expressions ---------------------------------------------------------------------------------------------------------

expression : IF expression THEN expression ELSE expression | disjunction ;
disjunction : conjunction (OR conjunction)* ;
conjunction : negation (AND negation)* ;
negation : NOT negation | comparison ;
comparison : range ((EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL) range)* ;
range : uncertain (DOTS uncertain (BY STAR? uncertain)?)? ;
uncertain : sum (UNCERTAIN sum)? ;
sum : product ((PLUS | MINUS) product)* ;
product : factor ((STAR | SLASH | DIV | MOD) factor)* ;
factor : (PLUS | MINUS) factor | conversion | power ;
conversion : LPAREN (FLOAT | DOUBLE | INT | REAL) RPAREN factor ;
power : postfix (CARET factor)? ;
postfix : WITHIN name | primary suffix* ;
suffix : DOT any_name | LPAREN (reduction | arguments)? RPAREN | LBRACKET arguments? RBRACKET ;
arguments : argument (COMMA argument)* COMMA? ;
argument : (name ASSIGN)? expression ;
reduction : binder (COMMA binder)* (COLON expression)? ;
binder : name IN expression (IF expression)? ;

primary
  : INTEGER | DECIMAL | QUANTITY | STRING | TRUE | FALSE
  | name
  | LPAREN expression RPAREN
  | LPAREN sign (COMMA sign)* RPAREN
  | list
  | WHEN LBRACE when_arms RBRACE
  | TABLE LBRACE entry (COMMA entry)* COMMA? RBRACE between
  | TABLE STRING KEY column (COMMA column)* VALUE table_value
  | FLOPS flops_block
  ;
sign : PLUS | MINUS ;
list : LBRACKET (expression (comprehension+ | (COMMA expression)* COMMA?))? RBRACKET ;
comprehension : FOR binder (COMMA binder)* ;
when_arms : SEMICOLON* (when_arm (SEMICOLON when_arm?)*)? ;
when_arm : (ELSE | expression) COLON expression ;
entry : expression COLON expression ;
// Of the values at other keys.
between : (LINEAR | STEP | LOG) EXTEND? | ELSE expression ;
column : name | STRING ;
table_value : column between | LBRACKET column (COMMA column)* COMMA? RBRACKET ;

// ---- flop counts: statements as in C -----------------------------------------------------------------------------------------

flops_block : LBRACE flops_statements RBRACE ;
flops_statements : SEMICOLON* (flops_statement (SEMICOLON flops_statement?)*)? ;
flops_statement
  : FOR binder (COMMA binder)* flops_block
  | flops_condition
  | flops_simple
  ;
flops_condition : IF expression (flops_block | flops_assignment) (ELSE (flops_condition | flops_block | flops_assignment))? ;
flops_assignment : flops_target ASSIGN expression ;
flops_target : name (LBRACKET arguments RBRACKET)* ;
flops_simple : expression (ASSIGN expression)? ;

// ---- names ---------------------------------------------------------------------------------------------------------------------

name
  : IDENTIFIER | ACQUIRE | ACROSS | AFTER | ALONG | ARRIVAL | AS | AWAIT | BLOCKS | BUSY | BY | DOUBLE | DOWNWIND | EMIT | EXPORT | EXTEND | EXTENDS
  | FLOAT | FROM | INT | IRECV | ISEND | KEY | LEVELS | LINEAR | LOG | MEASURED | NODES | OF | ON | OVER | PHASE | PLOT | PRIORITY | READY | REAL
  | RECEIVER | RECV | REPEAT | RESOURCE | ROOT | SEND | SENDER | SENDRECV | SENT | SERVERS | SET | SHOW | STEP | SWEEP | TAG | TASK | TILES | TO | UPWIND | USING | VALUE
  | VARY | VIA | VS | WAIT | WAITALL | WAITANY | WAVE | WINDOW | WITHIN | WRAP
  ;
// After a dot every word is a name.
any_name
  : name | AND | COLLECTIVE | DIV | ELSE | EXPECT | FALSE | FLOPS | FN | FOR | GRID | IF | IMPORT | IN | INTERFACE | LET
  | MACHINE | MOD | MODEL | NOT | OR | OUTPUT | OVERRIDE | PARAM | PROCEDURE | PROCESS | PROTOCOL | REC | REQUIRE | STUDY
  | TABLE | TEST | THEN | TRUE | TYPE | WHEN
  ;
