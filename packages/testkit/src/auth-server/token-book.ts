/** What a test authorization server has granted: codes that work once, tokens that expire, refresh tokens that work once. */
import { createHash, randomBytes } from 'node:crypto'

export interface Grant {
  clientId: string
  redirectUri: string
  challenge: string
  resource: string
  scope: string | undefined
}

interface Family {
  grant: Grant
  isRevoked: boolean
}

interface AccessToken {
  family: Family
  expiresAt: number
}

export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope?: string
}

/** An error of RFC 6749, section 5.2. */
export class TokenRefusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'TokenRefusal'
    this.code = code
  }
}

export class TokenBook {
  /** Every token that was ever issued, of either kind. */
  readonly issued: string[] = []
  readonly revoked: string[] = []
  readonly #tokenSeconds: number
  readonly #codes = new Map<string, Grant>()
  readonly #access = new Map<string, AccessToken>()
  readonly #refresh = new Map<string, { family: Family; isUsed: boolean }>()

  constructor(tokenSeconds: number) {
    this.#tokenSeconds = tokenSeconds
  }

  issueCode(grant: Grant): string {
    const code = newSecret('code')
    this.#codes.set(code, grant)
    return code
  }

  redeemCode(
    code: string,
    presented: Omit<Grant, 'challenge' | 'scope'> & { verifier: string },
  ): TokenAnswer {
    const grant = this.#codes.get(code)
    this.#codes.delete(code)
    if (!grant) throw new TokenRefusal('invalid_grant', 'The code is unknown, or was used before.')
    if (grant.clientId !== presented.clientId) {
      throw new TokenRefusal('invalid_grant', 'The code is not for this client.')
    }
    if (grant.redirectUri !== presented.redirectUri) {
      throw new TokenRefusal('invalid_grant', 'The redirect_uri is not that of the request.')
    }
    if (createHash('sha256').update(presented.verifier).digest('base64url') !== grant.challenge) {
      throw new TokenRefusal('invalid_grant', 'The code_verifier does not fit.')
    }
    if (grant.resource !== presented.resource) {
      throw new TokenRefusal('invalid_target', 'The resource is not that of the request.')
    }
    return this.#issue({ grant, isRevoked: false })
  }

  /** A refresh token that comes a second time was stolen, or used by two at once: nothing of its family is valid any more. */
  refresh(token: string, clientId: string, resource: string): TokenAnswer {
    const known = this.#refresh.get(token)
    if (known?.isUsed) known.family.isRevoked = true
    if (!known || known.family.isRevoked || known.family.grant.clientId !== clientId) {
      throw new TokenRefusal('invalid_grant', 'The refresh token is not valid.')
    }
    if (known.family.grant.resource !== resource) {
      throw new TokenRefusal('invalid_target', 'The resource is not that of the grant.')
    }
    known.isUsed = true
    return this.#issue(known.family)
  }

  revoke(token: string, clientId: string): void {
    const family = (this.#access.get(token) ?? this.#refresh.get(token))?.family
    if (family?.grant.clientId !== clientId) return
    family.isRevoked = true
    this.revoked.push(token)
  }

  isValid(token: string, resource: string): boolean {
    const known = this.#access.get(token)
    if (!known || known.family.isRevoked) return false
    return known.expiresAt > Date.now() && known.family.grant.resource === resource
  }

  expireAll(): void {
    for (const token of this.#access.values()) token.expiresAt = 0
  }

  refuseRefresh(): void {
    this.#refresh.clear()
  }

  #issue(family: Family): TokenAnswer {
    const access = newSecret('access')
    const refresh = newSecret('refresh')
    this.issued.push(access, refresh)
    this.#access.set(access, { family, expiresAt: Date.now() + this.#tokenSeconds * 1000 })
    this.#refresh.set(refresh, { family, isUsed: false })
    const { scope } = family.grant
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: this.#tokenSeconds,
      refresh_token: refresh,
      ...(scope !== undefined && { scope }),
    }
  }
}

export function newSecret(kind: string): string {
  return `${kind}-${randomBytes(24).toString('base64url')}`
}
