package reminder

// MaxData is the limit, for the tests outside of the package.
const MaxData = maxData
