package amp

import "fmt"

// SettingError reports a field of a [Sampler], a [Spec] or a [PaperSchedule] that is out of range.
type SettingError struct {
	Field string // name of the field; Functional also for a field of the functional
	Msg   string // what is wrong
}

// Error returns the message.
func (e *SettingError) Error() string { return "amp: " + e.Msg }

// settingError makes a *SettingError.
func settingError(field, format string, args ...any) *SettingError {
	return &SettingError{field, fmt.Sprintf(format, args...)}
}
