package scram

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// The example of RFC 7677, section 3.
const (
	rfcFirst  = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
	rfcOurs   = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
	rfcSalt   = "W22ZaJ0SNY7soEsUEjb6gQ=="
	rfcServer = "r=rOprNGfwEbeRWgbNEkqO" + rfcOurs + ",s=" + rfcSalt + ",i=4096"
	rfcFinal  = "c=biws,r=rOprNGfwEbeRWgbNEkqO" + rfcOurs + ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
	rfcAnswer = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
)

func rfcVerifier(t *testing.T, password string) Verifier {
	t.Helper()
	salt, err := base64.StdEncoding.DecodeString(rfcSalt)
	if err != nil {
		t.Fatal(err)
	}
	v, err := derive(password, salt, 4096)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestExample(t *testing.T) {
	e, answer, err := begin(rfcVerifier(t, "pencil"), rfcFirst, rfcOurs)
	if err != nil || answer != rfcServer {
		t.Fatalf("%q, %v", answer, err)
	}
	if answer, err = e.Finish(rfcFinal); err != nil || answer != rfcAnswer {
		t.Errorf("%q, %v", answer, err)
	}
}

func TestWrong(t *testing.T) {
	for name, c := range map[string]struct{ password, first, final string }{
		"password":        {"pencils", rfcFirst, rfcFinal},
		"channel binding": {"pencil", "p=tls-unique,,n=user,r=rOprNGfwEbeRWgbNEkqO", rfcFinal},
		"no nonce":        {"pencil", "n,,n=user", rfcFinal},
		"other nonce":     {"pencil", rfcFirst, strings.Replace(rfcFinal, "rOpr", "xOpr", 1)},
		"other header":    {"pencil", rfcFirst, strings.Replace(rfcFinal, "biws", "eSws", 1)},
		"no proof":        {"pencil", rfcFirst, "c=biws,r=rOprNGfwEbeRWgbNEkqO" + rfcOurs},
		"short proof":     {"pencil", rfcFirst, strings.Replace(rfcFinal, "dHzb", "", 1)},
		"empty":           {"pencil", "", ""},
	} {
		e, _, err := begin(rfcVerifier(t, c.password), c.first, rfcOurs)
		if err == nil {
			_, err = e.Finish(c.final)
		}
		if err == nil || errors.Is(err, ErrFailed) != (name == "password") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestText(t *testing.T) {
	v := rfcVerifier(t, "pencil")
	again, err := Parse(v.String())
	if err != nil || again.String() != v.String() {
		t.Errorf("%v, %v", again, err)
	}
	for _, text := range []string{"", "SCRAM-SHA-256", "SCRAM-SHA-256$0:AAAA$AAAA:AAAA", "SCRAM-SHA-256$4096:AAAA$AAAA:AAAA", "md5abc$1:2$3:4"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is a verifier", text)
		}
	}
}
