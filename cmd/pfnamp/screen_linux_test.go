package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pfnamp/pfnamp/internal/must"
)

// openTerminal returns both ends of a pseudo-terminal of so many columns.
func openTerminal(t *testing.T, columns uint16) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { master.Close() })
	must.Succeed(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	must.Succeed(t, err)
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	must.Succeed(t, err)
	t.Cleanup(func() { slave.Close() })
	size := unix.Winsize{Row: 30, Col: columns}
	must.Succeed(t, unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &size))
	return master, slave
}

// bothStreams as part of an environment sends standard error to the terminal too.
const bothStreams = "BOTH_STREAMS=1"

// onTerminal is what a command prints to a terminal of so many columns.
func onTerminal(t *testing.T, columns uint16, environment []string, args ...string) string {
	t.Helper()
	master, slave := openTerminal(t, columns)
	cmd := exec.Command("pfnamp", args...)
	cmd.Stdout, cmd.Env = slave, append(os.Environ(), environment...)
	if slices.Contains(environment, bothStreams) {
		cmd.Stderr = slave
	}
	must.Succeed(t, cmd.Start())
	read := make(chan string)
	go func() {
		text, _ := io.ReadAll(master) // fails when the last writer has closed the other end
		read <- string(text)
	}()
	err := cmd.Wait()
	slave.Close()
	text := strings.ReplaceAll(<-read, "\r\n", "\n")
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	return text
}

// TestTerminal predicts to a terminal: a table with few digits, colour only where it is wanted, the
// columns that there is room for; --to csv writes CSV there too.
func TestTerminal(t *testing.T) {
	besideTiny(t)
	job := []string{"predict", "t.csv", "t.csv", "-y", "y", "--chains", "20"}
	got := onTerminal(t, 80, []string{"NO_COLOR=", "TERM=xterm"}, job...)
	form := `^\x1b\[1m +mean +mean_lo +mean_hi +pi_lo +pi_hi\x1b\[m\n` +
		`(\d  +(-?\d\.\d{3} *){5}\n){4}$`
	if !regexp.MustCompile(form).MatchString(got) {
		t.Errorf("80 columns: %q", got)
	}
	if got := onTerminal(t, 80, []string{"NO_COLOR=1"}, job...); strings.Contains(got, "\x1b") {
		t.Errorf("NO_COLOR: %q", got)
	}
	got = onTerminal(t, 30, []string{"NO_COLOR=1"}, job...)
	if !strings.HasSuffix(got, "not shown, because the terminal is too narrow: pi_lo, pi_hi\n") {
		t.Errorf("30 columns: %q", got)
	}
	got = onTerminal(t, 80, nil, append(job, "--to", "csv", "--digits", "2")...)
	if !strings.HasPrefix(got, "mean,mean_lo,mean_hi,pi_lo,pi_hi\n") {
		t.Errorf("--to csv: %q", got)
	}
	legend := "*_lo, *_hi (such as mean_lo, mean_hi): 90 % credible interval of the functional, auto"
	for want, args := range map[bool][]string{true: nil, false: {"-o", "out.csv"}} {
		got := onTerminal(t, 80, []string{bothStreams}, append(job, args...)...)
		if strings.Contains(got, legend) != want {
			t.Errorf("%q: the legend is there: %v, it should be: %v\n%s", args, !want, want, got)
		}
	}
}
