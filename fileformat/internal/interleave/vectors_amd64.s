//go:build !noasm

#include "textflag.h"

// Of the registers: DI is where the values go, SI where the next bytes of stream 0
// are, R8 the distance from stream to stream and R9 three times that, CX how many
// values are left. All instructions are of SSE2, which every amd64 has.

// func blocks32(dst, src *byte, stride, n int)
TEXT ·blocks32(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ stride+16(FP), R8
	MOVQ n+24(FP), CX
	LEAQ (R8)(R8*2), R9

loop32:
	MOVOU (SI), X0
	MOVOU (SI)(R8*1), X1
	MOVOU (SI)(R8*2), X2
	MOVOU (SI)(R9*1), X3

	// Bytes 0 and 1 of values 0 to 7 and of 8 to 15, then 2 and 3.
	MOVO      X0, X4
	PUNPCKLBW X1, X0
	PUNPCKHBW X1, X4
	MOVO      X2, X5
	PUNPCKLBW X3, X2
	PUNPCKHBW X3, X5

	// Four values a register.
	MOVO      X0, X1
	PUNPCKLWL X2, X0
	PUNPCKHWL X2, X1
	MOVO      X4, X3
	PUNPCKLWL X5, X4
	PUNPCKHWL X5, X3
	MOVOU     X0, (DI)
	MOVOU     X1, 16(DI)
	MOVOU     X4, 32(DI)
	MOVOU     X3, 48(DI)

	ADDQ $16, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JNZ  loop32
	RET

// func blocks64(dst, src *byte, stride, n int)
TEXT ·blocks64(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ stride+16(FP), R8
	MOVQ n+24(FP), CX
	LEAQ (R8)(R8*2), R9
	LEAQ (SI)(R8*4), DX // stream 4

loop64:
	MOVOU (SI), X0
	MOVOU (SI)(R8*1), X1
	MOVOU (SI)(R8*2), X2
	MOVOU (SI)(R9*1), X3
	MOVOU (DX), X4
	MOVOU (DX)(R8*1), X5
	MOVOU (DX)(R8*2), X6
	MOVOU (DX)(R9*1), X7

	// Two bytes of values 0 to 7 in X0, X2, X4 and X6, of values 8 to 15 in X8 to X11.
	MOVO      X0, X8
	PUNPCKLBW X1, X0
	PUNPCKHBW X1, X8
	MOVO      X2, X9
	PUNPCKLBW X3, X2
	PUNPCKHBW X3, X9
	MOVO      X4, X10
	PUNPCKLBW X5, X4
	PUNPCKHBW X5, X10
	MOVO      X6, X11
	PUNPCKLBW X7, X6
	PUNPCKHBW X7, X11

	// Four bytes: of values 0 to 3 in X0 and X4, of 4 to 7 in X1 and X5, and so on
	// in X8 and X10, X12 and X13.
	MOVO      X0, X1
	PUNPCKLWL X2, X0
	PUNPCKHWL X2, X1
	MOVO      X4, X5
	PUNPCKLWL X6, X4
	PUNPCKHWL X6, X5
	MOVO      X8, X12
	PUNPCKLWL X9, X8
	PUNPCKHWL X9, X12
	MOVO      X10, X13
	PUNPCKLWL X11, X10
	PUNPCKHWL X11, X13

	// Two values a register.
	MOVO      X0, X2
	PUNPCKLLQ X4, X0
	PUNPCKHLQ X4, X2
	MOVO      X1, X3
	PUNPCKLLQ X5, X1
	PUNPCKHLQ X5, X3
	MOVO      X8, X6
	PUNPCKLLQ X10, X8
	PUNPCKHLQ X10, X6
	MOVO      X12, X7
	PUNPCKLLQ X13, X12
	PUNPCKHLQ X13, X7
	MOVOU     X0, (DI)
	MOVOU     X2, 16(DI)
	MOVOU     X1, 32(DI)
	MOVOU     X3, 48(DI)
	MOVOU     X8, 64(DI)
	MOVOU     X6, 80(DI)
	MOVOU     X12, 96(DI)
	MOVOU     X7, 112(DI)

	ADDQ $16, SI
	ADDQ $16, DX
	ADDQ $128, DI
	SUBQ $16, CX
	JNZ  loop64
	RET
