//go:build !noasm

#include "textflag.h"

// Of the registers: SI is where the next element begins, DI where its output goes. AX has the
// bytes from SI on, at least 3 of them. R8 and R9 are the last places where an element may
// begin and where its output may go, R10 is where dst begins, R13 the tables. Within an element
// BX is its length (of a literal less 1), CX its kind, R12 its length less its offset, then where
// it copies from, and R11 what AX becomes. All instructions are of SSE2, which every amd64 has.
//
// There are two loops, element and unit: see snappyLoop. What is rare is behind them, for both.
//
// The element behind a copy begins 2 or 3 bytes later. Both places are read before the kind of
// the copy is known, and one is chosen: otherwise each element would wait for its own bytes.
// A copy is 32 bytes, most are no longer: a branch on 16 is foretold wrong too often in texts.

#define IN 32       // snappyIn
#define OUT 96      // snappyOut
#define MASKS 512   // the place of snappyTables.masks
#define NEAR 528    // the place of snappyTables.near
#define LITERAL 720 // the place of snappyTables.literal
#define ZERO 512    // a place of zeros: the mask of a literal
#define TRUST 64

// func snappyElements(src, dst []byte, in, out int, tables *snappyTables, units bool) (end, made int)
TEXT ·snappyElements(SB), NOSPLIT, $0-96
	MOVQ src_base+0(FP), SI
	MOVQ src_len+8(FP), R8
	MOVQ dst_base+24(FP), R10
	MOVQ dst_len+32(FP), R9
	MOVQ in+48(FP), AX
	MOVQ out+56(FP), DI
	MOVQ tables+64(FP), R13
	MOVL $8, R14
	MOVL $TRUST, R15
	LEAQ -IN(SI)(R8*1), R8
	LEAQ -OUT(R10)(R9*1), R9
	ADDQ AX, SI
	ADDQ R10, DI

	CMPB units+72(FP), $0
	JEQ  next
	MOVL $-1, R14

next:
	CMPQ SI, R8
	JA   done
	CMPQ DI, R9
	JA   done
	MOVQ (SI), AX
	CMPB units+72(FP), $0
	JNE  unit

element:
	TESTB $3, AL
	JNZ   copy

	// A literal. Behind one of at most 4 bytes the next tag and its offset are in AX.
	MOVBLZX AL, BX
	SHRL    $2, BX
	CMPL    BX, $4
	JAE     literal
	MOVQ    1(SI), R11
	MOVQ    R11, (DI)
	LEAL    16(AX)(AX*1), CX // 16 and 8 times its length less 1, modulo 64
	SHRQ    CX, AX
	LEAQ    2(SI)(BX*1), SI
	LEAQ    1(DI)(BX*1), DI
	TESTB   $3, AL
	JZ      next

copy:
	MOVL    AX, CX
	ANDL    $3, CX
	MOVQ    2(SI), R11
	MOVQ    3(SI), R12
	CMPL    CX, $2
	CMOVQEQ R12, R11
	MOVBLZX AL, BX
	MOVWQSX (R13)(BX*2), R12
	SHRL    $8, AX
	ANDL    MASKS(R13)(CX*4), AX
	MOVBLZX R12B, BX
	SUBQ    AX, R12
	JGT     over
	CMPL    AX, R14
	JEQ     perhaps8

apart:
	ADDQ DI, R12
	SUBQ BX, R12
	CMPQ R12, R10
	JB   done

from:
	MOVOU (R12), X0
	MOVOU X0, (DI)
	LEAQ  1(SI)(CX*1), SI
	MOVQ  R11, AX
	MOVOU 16(R12), X1
	MOVOU X1, 16(DI)
	CMPL  BX, $32
	JA    far
	ADDQ  BX, DI
	CMPQ  SI, R8
	JA    done
	CMPQ  DI, R9
	JBE   element

done:
	SUBQ src_base+0(FP), SI
	SUBQ R10, DI
	MOVQ SI, end+80(FP)
	MOVQ DI, made+88(FP)
	RET

	// A unit is a copy, with the literal of at most 3 bytes before it if there is one. AX has the
	// tag of the copy behind 16 and CX bits, or 0. What follows a copy of the shorter kind is in
	// DX behind CX bits: it is shifted likewise, so that a unit need not wait for bytes whose
	// place it has just learned. 5 bytes of it are there, and a unit needs no more.
unit:
	MOVBLZX AL, BX
	CMPB    LITERAL(R13)(BX*1), $0
	JNE     literal0
	LEAL    (BX)(BX*1), CX // 8 times the length of a literal less 1
	MOVQ    AX, R11
	SHRQ    $16, R11
	MOVQ    2(SI), DX
	MOVQ    1(SI), R12
	MOVQ    R12, (DI)
	XORL    BX, BX
	TESTB   $3, AL
	CMOVLNE ZERO(R13), CX
	CMOVQEQ R11, AX
	CMOVQEQ 4(SI), DX
	SETEQ   BL
	SHRQ    CX, AX
	SHRQ    CX, DX
	SHRL    $3, CX
	ADDL    BX, CX // the length of the literal
	ADDQ    CX, DI
	ADDQ    BX, SI
	ADDQ    CX, SI

	MOVBLZX AL, BX
	MOVL    AX, CX
	ANDL    $3, CX
	MOVWQSX (R13)(BX*2), R12
	MOVWLZX 1(SI), AX
	ANDL    MASKS(R13)(CX*4), AX
	MOVQ    DX, R11
	SHRQ    $8, DX
	CMPL    CX, $2
	CMOVQEQ DX, R11
	MOVBLZX R12B, BX
	SUBQ    AX, R12
	JGT     over
	ADDQ DI, R12
	SUBQ BX, R12
	CMPQ R12, R10
	JB   done
	MOVOU (R12), X0
	MOVOU X0, (DI)
	LEAQ  1(SI)(CX*1), SI
	MOVQ  R11, AX
	MOVOU 16(R12), X1
	MOVOU X1, 16(DI)
	CMPL  BX, $32
	JA    far
	ADDQ  BX, DI
	CMPQ  SI, R8
	JA    done
	CMPQ  DI, R9
	JBE   unit
	JMP   done

perhaps8:
	MOVQ BX, DX
	SUBQ R12, DX
	CMPQ DX, $8
	JNE  apart
	MOVQ DI, R12
	SUBQ DX, R12
	CMPQ R12, R10
	JB   done
	JMP  eight

literal0:
	SHRL  $2, BX

literal: // of more than 4 bytes, or of 4
	CMPL  BX, $16
	JAE   long
	MOVOU 1(SI), X0
	MOVOU X0, (DI)
	LEAQ  2(SI)(BX*1), SI
	LEAQ  1(DI)(BX*1), DI
	JMP   next

far: // the rest of more than 32 bytes
	MOVOU 32(R12), X0
	MOVOU X0, 32(DI)
	MOVOU 48(R12), X1
	MOVOU X1, 48(DI)
	ADDQ  BX, DI
	JMP   next

over: // the copy is longer than its offset, or it is none
	TESTL CX, CX
	JZ    next
	CMPL  CX, $3
	JEQ   done
	MOVQ  BX, DX
	SUBQ  R12, DX
	MOVQ  DI, R12
	SUBQ  DX, R12
	CMPQ  R12, R10
	JB    done
	CMPL  DX, R14
	JEQ   eight

repeat:
	CMPL DX, $8
	JB   near
	LEAQ 1(SI)(CX*1), SI
	XORL CX, CX

repeat8:
	MOVQ (R12)(CX*1), R11
	MOVQ R11, (DI)(CX*1)
	ADDL $8, CX
	CMPL CX, BX
	JB   repeat8
	ADDQ BX, DI
	JMP  next

near: // an offset below 8: snappyTables.near
	TESTL DX, DX
	JZ    done
	LEAQ  1(SI)(CX*1), SI
	LEAL  (DX)(DX*2), DX
	LEAQ  NEAR(R13)(DX*8), DX
	MOVQ  (R12), R12
	ANDQ  0(DX), R12
	IMULQ 8(DX), R12
	MOVQ  R12, (DI)
	MOVQ  DI, R12
	SUBQ  16(DX), R12
	MOVL  $8, CX
	CMPL  CX, BX
	JB    repeat8
	ADDQ  BX, DI
	JMP   next

	// An offset of 8, as of sorted numbers: what is copied was written by several elements just
	// before, and to read it would wait until their writes are through. So the last 8 bytes
	// stay in DX from copy to copy, while literals of at most 4 bytes and such copies alternate.
	// Where they do not, the branch to here is too often foretold wrong: R15 becomes less by 4
	// with each that comes here and more by 1 with each that stays. Below 0 none comes any more.
eight:
	SUBL $4, R15
	JB   never
	MOVQ (R12), DX
	JMP  copy8

never:
	MOVL $-1, R14 // no offset
	CMPL BX, DX
	JA   repeat
	JMP  from

stay8:
	CMPL R15, $TRUST
	ADCL $0, R15

copy8:
	LEAQ 1(SI)(CX*1), SI
	MOVQ R11, AX
	MOVQ DX, (DI)
	MOVQ DX, 8(DI)
	CMPL BX, $16
	JBE  copied8
	MOVL $16, CX

more8:
	MOVQ DX, (DI)(CX*1)
	ADDL $8, CX
	CMPL CX, BX
	JB   more8

copied8:
	ADDQ BX, DI
	LEAL (BX*8), CX
	RORQ CX, DX
	CMPQ SI, R8
	JA   done
	CMPQ DI, R9
	JA   done

	TESTL   $3, AX
	JNZ     element
	MOVBLZX AL, BX
	SHRL    $2, BX
	CMPL    BX, $4
	JAE     element
	MOVQ    AX, R12
	SHRQ    $8, R12
	MOVQ    R12, (DI)
	LEAL    8(BX*8), CX
	SHRQ    CX, DX
	NEGL    CX
	SHLQ    CX, R12 // by 64 less the bits of the literal
	ORQ     R12, DX
	LEAQ    2(SI)(BX*1), SI
	LEAQ    1(DI)(BX*1), DI
	LEAL    16(BX*8), CX
	SHRQ    CX, AX

	MOVL    AX, CX
	ANDL    $3, CX
	JZ      next
	CMPL    CX, $2
	JA      done
	JEQ     wide8
	MOVL    AX, R12
	ANDL    $0xFFE0, R12
	CMPL    R12, $0x0800
	JNE     copy
	MOVBLZX AL, BX
	SHRL    $2, BX
	ADDL    $4, BX
	MOVQ    2(SI), R11
	JMP     stay8

wide8:
	MOVL    AX, R12
	SHRL    $8, R12
	MOVWLZX R12, R12
	CMPL    R12, $8
	JNE     copy
	MOVBLZX AL, BX
	SHRL    $2, BX
	INCL    BX
	MOVQ    3(SI), R11
	JMP     stay8

long: // a literal of more than 16 bytes
	CMPL  BX, $60
	JAE   longer
	LEAQ  2(SI)(BX*1), R11
	CMPQ  R11, R8
	JA    done
	MOVOU 1(SI), X0
	MOVOU 17(SI), X1
	MOVOU X0, (DI)
	MOVOU X1, 16(DI)
	CMPL  BX, $32
	JB    longed
	MOVOU 33(SI), X0
	MOVOU 49(SI), X1
	MOVOU X0, 32(DI)
	MOVOU X1, 48(DI)

longed:
	MOVQ R11, SI
	LEAQ 1(DI)(BX*1), DI
	JMP  next

longer: // its length less 1 is in the next byte; where it is in several, copy of Go is faster
	CMPL    BX, $60
	JNE     done
	MOVBLZX 1(SI), DX
	LEAQ    3(SI)(DX*1), R11
	CMPQ    R11, R8
	JA      done
	LEAQ    1(DI)(DX*1), AX
	CMPQ    AX, R9
	JA      done

longer32:
	MOVOU 2(SI), X0
	MOVOU 18(SI), X1
	MOVOU X0, (DI)
	MOVOU X1, 16(DI)
	ADDQ  $32, SI
	ADDQ  $32, DI
	CMPQ  DI, AX
	JB    longer32
	MOVQ  R11, SI
	MOVQ  AX, DI
	JMP   next
