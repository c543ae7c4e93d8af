/** What a person's sign-in gives to reach a server with. It is asked anew for each request: it comes, changes and goes while we run. */
export interface UpstreamCredentials {
  /** To be sent as a bearer token; undefined while nobody is signed in. */
  token(): Promise<string | undefined>
  /**
   * The server answered 401 to this token, or to a request without one. True: there is another now, so that trying again may help.
   * Rejects where that could not be found out; it may work later.
   */
  renew(refused: string | undefined): Promise<boolean>
  /** Not to be shown in what the server says. */
  secrets(): readonly string[]
}
