/** The oldest CLI that the package works with: docs/decisions/0002-minimum-cli-version.md. */
export const minimumCliVersion = '2.1.317'
