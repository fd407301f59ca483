package cli

// HoldAnswers holds every result with --json to the table of answers.
func HoldAnswers() { holdAnswers = true }
