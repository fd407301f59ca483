package cli

// HoldAnswers holds every result with --json to the table of answers.
func HoldAnswers() { holdAnswers = true }

// HearCodes hands over the code of every error and note that is told in words.
func HearCodes(heard func(code string)) { heardCode = heard }
