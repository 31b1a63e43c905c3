// The parsing of user agents for the list of sessions.
import { expect, test } from 'vitest'
import { parseUserAgent } from './serialisers.ts'

const NOTHING = {
  osCode: '',
  osName: '',
  osVersion: '',
  clientType: '',
  clientCode: '',
  clientName: '',
  clientVersion: '',
  clientEngine: '',
  clientEngineVersion: '',
  deviceName: '',
  deviceBrand: '',
  deviceModel: '',
}

test('Chrome on Linux is described as the contract shows it', () => {
  expect(
    parseUserAgent(
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36',
    ),
  ).toEqual({
    osCode: 'LIN',
    osName: 'GNU/Linux',
    osVersion: '',
    clientType: 'browser',
    clientCode: 'CH',
    clientName: 'Chrome',
    clientVersion: '119.0',
    clientEngine: 'Blink',
    clientEngineVersion: '119.0.0.0',
    deviceName: 'desktop',
    deviceBrand: '',
    deviceModel: '',
  })
})

test.each([
  {
    agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    expected: {
      osCode: 'IOS',
      osVersion: '17.0',
      clientCode: 'SF',
      clientEngine: 'WebKit',
      deviceName: 'smartphone',
      deviceBrand: 'Apple',
      deviceModel: 'iPhone',
    },
  },
  {
    agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0',
    expected: {
      osCode: 'WIN',
      osName: 'Windows',
      osVersion: '10',
      clientCode: 'FF',
      clientVersion: '120.0',
      clientEngine: 'Gecko',
    },
  },
  {
    agent:
      'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Mobile Safari/537.36',
    expected: { osCode: 'AND', osVersion: '13', deviceName: 'smartphone' },
  },
])('$expected.osCode and its browser are recognised', ({ agent, expected }) => {
  expect(parseUserAgent(agent)).toMatchObject(expected)
})

test.each(['', 'node', 'curl/8.0', '\u0000\uffff', '((((', 'a'.repeat(16_000)])(
  '%j identifies neither a system nor a browser',
  (agent) => {
    expect(parseUserAgent(agent)).toEqual(NOTHING)
  },
)
