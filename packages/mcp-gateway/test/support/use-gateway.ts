/** A supervisor for each test of a file, and the servers on the network that a test starts. All are ended after it. */
import { afterEach, beforeEach } from 'vitest'
import { type GatewayFixture, gatewayFixture } from './gateway-fixture.ts'
import type { WebServer } from './web-servers.ts'

export interface UsedGateway {
  readonly fixture: GatewayFixture
  started<T extends WebServer>(server: T): T
}

export function useGateway(): UsedGateway {
  let fixture: GatewayFixture | undefined
  const servers: WebServer[] = []
  beforeEach(() => {
    fixture = gatewayFixture()
  })
  afterEach(async () => {
    await fixture?.end()
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  return {
    get fixture() {
      if (!fixture) throw new Error('there is a gateway only within tests')
      return fixture
    },
    started(server) {
      servers.push(server)
      return server
    },
  }
}
