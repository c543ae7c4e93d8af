import { describe, expect, it } from 'vitest'
import { quoteArgument, quoteValue, renderServiceUnit } from './service-unit.ts'

const unit = {
  node: '/usr/bin/node',
  script: '/opt/my apps/100%/dorkos.js',
  cwd: '/home/a b',
  home: '/srv/$tate',
  environmentFile: '/srv/$tate/environment',
  path: '/usr/bin:relative::/home/x/bin',
}

describe('renderServiceUnit', () => {
  it('starts exactly the program that is meant, whatever its path holds', () => {
    const text = renderServiceUnit(unit)
    expect(text).toContain('ExecStart="/usr/bin/node" "/opt/my apps/100%%/dorkos.js" "serve"\n')
    expect(text).toContain('WorkingDirectory=/home/a b\n')
    expect(text).toContain('Environment="DORKOS_HOME=/srv/$tate"\n')
    expect(text).toContain('Environment="PATH=/usr/bin:/home/x/bin"\n')
    expect(text).toContain('EnvironmentFile=-/srv/$tate/environment\n')
    expect(text).toContain('Restart=on-failure\n')
  })

  it('escapes what systemd would replace', () => {
    expect(quoteArgument('a"b\\c%d$e')).toBe('"a\\"b\\\\c%%d$$e"')
    expect(quoteValue('X=$HOME')).toBe('"X=$HOME"')
  })

  it('refuses a path that would begin another setting', () => {
    expect(() => renderServiceUnit({ ...unit, cwd: '/x\nExecStartPre=/bin/evil' })).toThrow(
      'control characters',
    )
  })
})
