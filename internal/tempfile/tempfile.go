// Package tempfile makes files of the temporary folder that do not outlive the process, even if
// it is killed, as far as the system can do that.
package tempfile
