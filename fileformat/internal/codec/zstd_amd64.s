//go:build !noasm && !nounsafe

#include "go_asm.h"
#include "textflag.h"

// func hasBMI2() bool
TEXT ·hasBMI2(SB), NOSPLIT, $0-1
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  absent
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $8, BX
	ANDL $1, BX
	MOVB BX, ret+0(FP)
	RET

absent:
	MOVB $0, ret+0(FP)
	RET

// Of the registers: R13 is the decoder, SI the end of the bytes whose bits are
// not in R8, of which the highest R9 are accounted for, BX the next literal, DI
// the end of the output. R10, R11 and R12 are the states of literals, match and
// offset, then their entries, then the next states. A sequence's numbers are in
// BP, R15 and R14, in the same order. CX is 0 less the bits that are taken: shifts
// count modulo 64, so shifting R8 right by it leaves the last that were taken at
// the lower end.
//
// Every bound of sequence is checked. States are below 512 whatever the bits are, for so the
// tables are made. A load of bits is at most zstdIn bytes before the first one.
// Moves of 16 bytes go beyond literals and output by less than zstdSlack. A match
// begins within the output of its frame.

// func zstdFast(d *zstdDecoder, n int) (left int, ok bool)
TEXT ·zstdFast(SB), NOSPLIT, $56-25
	MOVQ d+0(FP), R13
	MOVQ n+8(FP), AX
	MOVQ AX, left-8(SP)
	MOVL $const_zstdRecent, AX
	MOVQ AX, recent-16(SP)

	MOVQ    zstdDecoder_src(R13), AX
	MOVQ    zstdDecoder_in(R13), SI
	ADDQ    AX, SI
	MOVQ    zstdDecoder_first(R13), CX
	MOVL    $const_zstdIn, DX
	CMPQ    CX, DX
	CMOVQLT DX, CX
	ADDQ    CX, AX
	MOVQ    AX, first-24(SP)

	MOVQ zstdDecoder_dst(R13), AX
	MOVQ zstdDecoder_out(R13), DI
	ADDQ AX, DI
	MOVQ zstdDecoder_start(R13), CX
	ADDQ AX, CX
	MOVQ CX, start-32(SP)
	ADDQ zstdDecoder_limit(R13), AX
	SUBQ $const_zstdSlack, AX
	MOVQ AX, maxOut-40(SP)

	MOVQ    zstdDecoder_literals+0(R13), BX
	MOVQ    zstdDecoder_literals+8(R13), AX
	MOVQ    zstdDecoder_literals+16(R13), CX
	SUBQ    $const_zstdSlack, CX
	CMPQ    CX, AX
	CMOVQLT CX, AX
	ADDQ    BX, AX
	MOVQ    AX, maxLiteral-48(SP)
	ADDQ    zstdDecoder_literal(R13), BX

	MOVQ zstdDecoder_bits(R13), R8
	MOVQ zstdDecoder_count(R13), R9
	MOVQ zstdDecoder_run(R13), R10
	MOVQ zstdDecoder_match(R13), R11
	MOVQ zstdDecoder_offset(R13), R12

loop:
	// The states are kept for what is not decoded here.
	MOVQ R10, zstdDecoder_run(R13)
	MOVQ R11, zstdDecoder_match(R13)
	MOVQ R12, zstdDecoder_offset(R13)
	CMPQ left-8(SP), $1
	JLE  done
	CMPQ SI, first-24(SP)
	JLT  lastBits

	// From 56 to 63 bits.
fill:
	MOVQ  -8(SI), AX
	SHRXQ R9, AX, AX
	ORQ   AX, R8
	MOVL  $63, CX
	SUBQ  R9, CX
	SHRQ  $3, CX
	SUBQ  CX, SI
	ORQ   $56, R9

	MOVQ    (zstdDecoder_runs+zstdTable_entries)(R13)(R10*8), R10
	MOVQ    (zstdDecoder_matches+zstdTable_entries)(R13)(R11*8), R11
	MOVQ    (zstdDecoder_offsets+zstdTable_entries)(R13)(R12*8), R12
	LEAQ    (R10)(R11*1), DX
	ADDQ    R12, DX
	MOVBLZX DL, AX
	MOVBLZX DH, CX
	ADDL    CX, AX
	CMPL    AX, $56
	JA      done

	// The three numbers. BZHI and shifts take a register's lowest bits.
	XORL  CX, CX
	SUBQ  R12, CX
	SHRXQ CX, R8, R14
	BZHIQ R12, R14, R14
	RORXQ $32, R12, DX
	ADDL  DX, R14
	SUBQ  R11, CX
	SHRXQ CX, R8, R15
	BZHIQ R11, R15, R15
	RORXQ $32, R11, DX
	ADDL  DX, R15
	SUBQ  R10, CX
	SHRXQ CX, R8, BP
	BZHIQ R10, BP, BP
	RORXQ $32, R10, DX
	ADDL  DX, BP

	LEAQ (DI)(BP*1), AX
	ADDQ R15, AX
	CMPQ AX, maxOut-40(SP)
	JGT  done
	LEAQ (BX)(BP*1), DX
	CMPQ DX, maxLiteral-48(SP)
	JGT  done

	// The next states.
	RORXQ   $8, R10, AX
	SUBQ    AX, CX
	SHRXQ   CX, R8, DX
	BZHIQ   AX, DX, DX
	SHRQ    $16, R10
	MOVWLZX R10, R10
	ADDL    DX, R10
	RORXQ   $8, R11, AX
	SUBQ    AX, CX
	SHRXQ   CX, R8, DX
	BZHIQ   AX, DX, DX
	SHRQ    $16, R11
	MOVWLZX R11, R11
	ADDL    DX, R11
	RORXQ   $8, R12, AX
	SUBQ    AX, CX
	SHRXQ   CX, R8, DX
	BZHIQ   AX, DX, DX
	SHRQ    $16, R12
	MOVWLZX R12, R12
	ADDL    DX, R12
	NEGQ    CX
	ANDL    $63, CX
	SHLXQ   CX, R8, R8
	SUBQ    CX, R9
	DECQ    left-8(SP)

	// The literals.
	MOVOU (BX), X0
	MOVOU X0, (DI)
	CMPQ  BP, $16
	JA    moreLiterals
	ADDQ  BP, BX
	ADDQ  BP, DI

	// The offset. What it is can seldom be foretold, so a new one and the most
	// recent one go the same way. The comparison tells them apart: below it is
	// new, above it is one of the others.
offset:
	MOVQ    (zstdDecoder_recent+0)(R13), AX
	MOVQ    (zstdDecoder_recent+8)(R13), CX
	MOVQ    (zstdDecoder_recent+16)(R13), DX
	CMPQ    BP, $1
	MOVQ    R14, BP
	ADCQ    $0, BP
	CMPQ    BP, recent-16(SP)
	JHI     other
	CMOVQEQ AX, R14
	CMOVQCS CX, DX
	CMOVQCS AX, CX
	MOVQ    R14, (zstdDecoder_recent+0)(R13)
	MOVQ    CX, (zstdDecoder_recent+8)(R13)
	MOVQ    DX, (zstdDecoder_recent+16)(R13)

match:
	MOVQ DI, DX
	SUBQ start-32(SP), DX
	CMPQ R14, DX
	JHI  bad
	CMPQ R14, zstdDecoder_window(R13)
	JHI  bad
	MOVQ DI, DX
	SUBQ R14, DX
	LEAQ (DI)(R15*1), AX
	CMPQ R14, $16
	JCS  near

far:
	MOVOU (DX), X0
	MOVOU X0, (DI)
	ADDQ  $16, DX
	ADDQ  $16, DI
	CMPQ  DI, AX
	JCS   far

end:
	MOVQ AX, DI
	JMP  loop

moreLiterals:
	LEAQ (BX)(BP*1), DX
	LEAQ (DI)(BP*1), AX

moveLiterals:
	ADDQ  $16, BX
	ADDQ  $16, DI
	MOVOU (BX), X0
	MOVOU X0, (DI)
	LEAQ  16(DI), CX
	CMPQ  CX, AX
	JCS   moveLiterals
	MOVQ  DX, BX
	MOVQ  AX, DI
	JMP   offset

// One of the recent offsets that is not the first.
other:
	ANDL $3, BP
	CMPL BP, $1
	JNE  rotate
	MOVQ CX, R14
	MOVQ CX, (zstdDecoder_recent+0)(R13)
	MOVQ AX, (zstdDecoder_recent+8)(R13)
	JMP  match

rotate:
	MOVQ    CX, (zstdDecoder_recent+16)(R13)
	MOVQ    AX, (zstdDecoder_recent+8)(R13)
	DECQ    AX
	CMPL    BP, $2
	CMOVQEQ DX, AX
	MOVQ    AX, R14
	MOVQ    AX, (zstdDecoder_recent+0)(R13)
	TESTQ   AX, AX
	JNE     match
	JMP     bad

// What is near was stored a moment ago, in pieces. The processor hands a load
// what one store has, but waits where it takes several. Numbers that share
// their upper bytes with the one before are matches of that kind: of 4 to 8
// bytes, at a distance of at least 8. They are loaded from the match before
// without its literals, and stored whole.
near:
	LEAQ  -4(R15), CX
	CMPQ  CX, $4
	JHI   nearer
	CMPQ  R14, $8
	JCS   nearer
	MOVL  (DX), BP
	MOVL  -4(DX)(R15*1), DX
	SHLL  $3, CX
	SHLXQ CX, DX, DX
	ORQ   DX, BP
	MOVQ  BP, (DI)
	JMP   end

// The output repeats what is shorter than a move: each doubles how much of it
// there is.
nearer:
	MOVOU (DX), X0
	MOVOU X0, (DI)
	ADDQ  R14, DI
	ADDQ  R14, R14
	CMPQ  DI, AX
	JCC   end
	CMPQ  R14, $16
	JCS   nearer
	JMP   far

lastBits:
	MOVQ  SI, AX
	SUBQ  first-24(SP), AX
	LEAQ  (R9)(AX*8), AX
	TESTQ AX, AX
	JGE   fill
	JMP   done

bad:
	MOVQ left-8(SP), AX
	MOVQ AX, left+16(FP)
	MOVB $0, ok+24(FP)
	RET

done:
	SUBQ zstdDecoder_src(R13), SI
	MOVQ SI, zstdDecoder_in(R13)
	SUBQ zstdDecoder_dst(R13), DI
	MOVQ DI, zstdDecoder_out(R13)
	SUBQ zstdDecoder_literals(R13), BX
	MOVQ BX, zstdDecoder_literal(R13)
	MOVQ R8, zstdDecoder_bits(R13)
	MOVQ R9, zstdDecoder_count(R13)
	MOVQ left-8(SP), AX
	MOVQ AX, left+16(FP)
	MOVB $1, ok+24(FP)
	RET
