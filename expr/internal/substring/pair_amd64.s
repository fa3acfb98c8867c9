//go:build !noasm

#include "textflag.h"

// Of the registers: SI and DI are where the bytes at the first place are, AX is the place,
// CX the last at which 16 begin. X0 and X2 are the bytes that are looked for, X1 and X3 the
// bits of them that matter. All instructions are of SSE2, which every amd64 has.

// func nextPair(a, b string, one, two lane) int
TEXT ·nextPair(SB), NOSPLIT, $0-72
	MOVQ       a_base+0(FP), SI
	MOVQ       a_len+8(FP), CX
	MOVQ       b_base+16(FP), DI
	MOVQ       one_value+32(FP), X0
	MOVQ       one_mask+40(FP), X1
	MOVQ       two_value+48(FP), X2
	MOVQ       two_mask+56(FP), X3
	PUNPCKLQDQ X0, X0
	PUNPCKLQDQ X1, X1
	PUNPCKLQDQ X2, X2
	PUNPCKLQDQ X3, X3
	XORQ       AX, AX
	SUBQ       $16, CX

loop:
	MOVOU    (SI)(AX*1), X4
	MOVOU    (DI)(AX*1), X5
	PAND     X1, X4
	PAND     X3, X5
	PCMPEQB  X0, X4
	PCMPEQB  X2, X5
	PAND     X5, X4
	PMOVMSKB X4, DX
	TESTL    DX, DX
	JNZ      found
	CMPQ     AX, CX
	JGE      none
	ADDQ     $16, AX
	CMPQ     AX, CX
	JLE      loop
	MOVQ     CX, AX     // some places a second time
	JMP      loop

found:
	BSFL DX, DX
	ADDQ DX, AX
	MOVQ AX, ret+64(FP)
	RET

none:
	MOVQ $-1, ret+64(FP)
	RET
