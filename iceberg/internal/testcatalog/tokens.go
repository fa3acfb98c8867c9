package testcatalog

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// token is getToken with the credentials of a client.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	refuse := func(code string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": "asked with " + r.FormValue("client_secret")})
	}
	id, secret, _ := strings.Cut(s.Client, ":")
	switch {
	case r.FormValue("grant_type") != "client_credentials":
		refuse("unsupported_grant_type")
	case s.Client == "" || r.FormValue("client_id") != id || r.FormValue("client_secret") != secret:
		refuse("invalid_client")
	default:
		s.mu.Lock()
		if s.tokens == nil {
			s.tokens = map[string]time.Time{}
		}
		s.given++
		token, out := fmt.Sprintf("token-%d", s.given), map[string]any{"token_type": "bearer"}
		out["access_token"] = token
		if s.tokens[token] = time.Now().Add(24 * time.Hour); s.TokenLife > 0 {
			s.tokens[token] = time.Now().Add(s.TokenLife)
			out["expires_in"] = int(s.TokenLife.Seconds())
		}
		s.mu.Unlock()
		answer(w, r, out)
	}
}

func (s *Server) authorized(r *http.Request) bool {
	if s.Client == "" && s.FixedToken == "" {
		return true
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	defer s.mu.Unlock()
	return ok && (s.FixedToken != "" && token == s.FixedToken || time.Now().Before(s.tokens[token]))
}
