// Package scram is the server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), as PostgreSQL speaks it:
// the client proves that it knows the password, and learns that the server knows it too. Neither
// sends it. There is no channel binding.
//
//	client-first   n,,n=,r=NONCE
//	server-first   r=NONCE+OURS,s=SALT,i=ITERATIONS
//	client-final   c=biws,r=NONCE+OURS,p=PROOF
//	server-final   v=SIGNATURE
package scram

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Mechanism is the name of what this package does.
const Mechanism = "SCRAM-SHA-256"

const (
	iterations    = 4096
	maxIterations = 10_000_000
	saltBytes     = 16
	nonceBytes    = 18
	keyBytes      = sha256.Size
)

// ErrFailed is a client that does not know the password.
var ErrFailed = errors.New("the password is wrong")

// Verifier is what a server keeps of a password.
type Verifier struct {
	Iterations           int
	Salt                 []byte
	StoredKey, ServerKey []byte
}

// New makes the Verifier of a password with a new salt. The password is taken as it is: those that
// SASLprep would change, as texts with letters of two forms, have to be typed as they were given.
func New(password string) (Verifier, error) {
	salt := make([]byte, saltBytes)
	if _, err := rand.Read(salt); err != nil {
		return Verifier{}, err
	}
	return derive(password, salt, iterations)
}

func derive(password string, salt []byte, iterations int) (Verifier, error) {
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, keyBytes)
	if err != nil {
		return Verifier{}, err
	}
	stored := sha256.Sum256(mac(salted, "Client Key"))
	return Verifier{iterations, salt, stored[:], mac(salted, "Server Key")}, nil
}

// Parse reads a Verifier as PostgreSQL keeps it: SCRAM-SHA-256$ITERATIONS:SALT$STORED:SERVER.
func Parse(text string) (Verifier, error) {
	bad := errors.New("a verifier is SCRAM-SHA-256$ITERATIONS:SALT$STOREDKEY:SERVERKEY")
	parts := strings.Split(text, "$")
	if len(parts) != 3 || parts[0] != Mechanism {
		return Verifier{}, bad
	}
	count, salt, ok1 := strings.Cut(parts[1], ":")
	stored, server, ok2 := strings.Cut(parts[2], ":")
	var v Verifier
	var errs [4]error
	v.Iterations, errs[0] = strconv.Atoi(count)
	v.Salt, errs[1] = base64.StdEncoding.DecodeString(salt)
	v.StoredKey, errs[2] = base64.StdEncoding.DecodeString(stored)
	v.ServerKey, errs[3] = base64.StdEncoding.DecodeString(server)
	if !ok1 || !ok2 || errors.Join(errs[:]...) != nil || v.Iterations < 1 || v.Iterations > maxIterations ||
		len(v.Salt) == 0 || len(v.StoredKey) != keyBytes || len(v.ServerKey) != keyBytes {
		return Verifier{}, bad
	}
	return v, nil
}

// String is the text that Parse reads.
func (v Verifier) String() string {
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s$%d:%s$%s:%s", Mechanism, v.Iterations, encode(v.Salt), encode(v.StoredKey), encode(v.ServerKey))
}

// Absent is a Verifier for a user that does not exist, which no password fits. A client cannot tell it
// from those of users: it looks like one of them, as many iterations and as long a salt, and is the
// same for the same name.
func Absent(secret []byte, user string, users []Verifier) Verifier {
	like := Verifier{Iterations: iterations, Salt: make([]byte, saltBytes)}
	if len(users) > 0 {
		choice := binary.BigEndian.Uint64(mac(secret, "like "+user))
		like = users[choice%uint64(len(users))]
	}
	var salt []byte
	for len(salt) < len(like.Salt) {
		salt = append(salt, mac(secret, fmt.Sprintf("salt %d %s", len(salt), user))...)
	}
	return Verifier{like.Iterations, salt[:len(like.Salt)], mac(secret, "stored "+user), mac(secret, "server "+user)}
}

// Exchange is one authentication.
type Exchange struct {
	verifier            Verifier
	clientFirst, nonce  string
	serverFirst, header string
}

// Begin reads the client's first message and returns the answer.
func Begin(v Verifier, clientFirst string) (e *Exchange, answer string, err error) {
	ours := make([]byte, nonceBytes)
	if _, err := rand.Read(ours); err != nil {
		return nil, "", err
	}
	return begin(v, clientFirst, base64.StdEncoding.EncodeToString(ours))
}

func begin(v Verifier, clientFirst, ours string) (e *Exchange, answer string, err error) {
	parts := strings.SplitN(clientFirst, ",", 3)
	if len(parts) != 3 || parts[0] != "n" && parts[0] != "y" || parts[1] != "" && !strings.HasPrefix(parts[1], "a=") {
		return nil, "", errors.New("the first message of SCRAM begins with n,, or y,, (there is no channel binding)")
	}
	bare := parts[2]
	fields := strings.Split(bare, ",")
	if len(fields) < 2 || !strings.HasPrefix(fields[0], "n=") || !strings.HasPrefix(fields[1], "r=") || len(fields[1]) < 10 {
		return nil, "", errors.New("the first message of SCRAM has no name or nonce")
	}
	e = &Exchange{verifier: v, clientFirst: bare, header: parts[0] + "," + parts[1] + ",", nonce: fields[1][2:] + ours}
	e.serverFirst = fmt.Sprintf("r=%s,s=%s,i=%d", e.nonce, base64.StdEncoding.EncodeToString(v.Salt), v.Iterations)
	return e, e.serverFirst, nil
}

// Finish checks the client's proof. The answer is the server's own. The error wraps ErrFailed where
// the password is not that of the Verifier.
func (e *Exchange) Finish(clientFinal string) (answer string, err error) {
	at := strings.LastIndex(clientFinal, ",p=")
	if at < 0 {
		return "", errors.New("the last message of SCRAM has no proof")
	}
	bare := clientFinal[:at]
	proof, err := base64.StdEncoding.DecodeString(clientFinal[at+3:])
	if err != nil || len(proof) != keyBytes {
		return "", errors.New("the proof of SCRAM is no key in base64")
	}
	fields := strings.Split(bare, ",")
	if len(fields) < 2 || fields[0] != "c="+base64.StdEncoding.EncodeToString([]byte(e.header)) ||
		subtle.ConstantTimeCompare([]byte(fields[1]), []byte("r="+e.nonce)) != 1 {
		return "", errors.New("the last message of SCRAM does not belong to the first")
	}
	message := e.clientFirst + "," + e.serverFirst + "," + bare
	clientKey := mac(e.verifier.StoredKey, message)
	subtle.XORBytes(clientKey, clientKey, proof)
	if stored := sha256.Sum256(clientKey); subtle.ConstantTimeCompare(stored[:], e.verifier.StoredKey) != 1 {
		return "", ErrFailed
	}
	return "v=" + base64.StdEncoding.EncodeToString(mac(e.verifier.ServerKey, message)), nil
}

func mac(key []byte, message string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(message))
	return h.Sum(nil)
}
