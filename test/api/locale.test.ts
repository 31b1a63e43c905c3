// Names of countries, languages and currencies, from what Node knows.
import { expect, test } from 'vitest'
import { makeNames } from '#backend/compat/locale-lists.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

test('lists are complete, in order, and in the language asked for', async () => {
  const blog = await sharedBlog()
  const read = async (path: string, locale?: string) => {
    const headers = locale === undefined ? {} : { 'x-appwrite-locale': locale }
    const answer = await blog.call('GET', `/locale/${path}`, { headers })
    expect(answer.status).toBe(200)
    const [, key = ''] = Object.keys(answer.body)
    expect(answer.body.total).toBe(answer.body[key].length)
    return answer.body[key]
  }
  const countries = await read('countries')
  expect(countries.length).toBeGreaterThanOrEqual(249)
  expect(countries.length).toBeLessThanOrEqual(251)
  expect(countries[0]).toEqual({ name: 'Afghanistan', code: 'AF' })
  expect(countries).not.toContainEqual(expect.objectContaining({ code: 'UK' }))
  expect(countries).not.toContainEqual(expect.objectContaining({ code: 'SU' }))
  expect(await read('countries/eu')).toHaveLength(27)
  for (const locale of ['de', 'de-AT', 'de-u-co-phonebk'])
    expect((await read('countries', locale))[0]).toEqual({ name: 'Afghanistan', code: 'AF' })
  expect(await read('countries', 'de')).toContainEqual({ name: 'Deutschland', code: 'DE' })
  for (const locale of ['', 'xx-nonsense', '../../etc', 'x'.repeat(500), '"'])
    expect(await read('countries', locale)).toEqual(countries)
  const phones = await read('countries/phones', 'de')
  expect(phones.length).toBeGreaterThan(220)
  expect(phones).toContainEqual({ code: '+49', countryCode: 'DE', countryName: 'Deutschland' })
  expect(phones).toContainEqual({ code: '+1', countryCode: 'CA', countryName: 'Kanada' })
  expect(phones.every(({ code }: { code: string }) => /^\+[1-9]\d{0,3}$/.test(code))).toBe(true)
  expect(await read('continents')).toEqual(
    expect.arrayContaining([
      { name: 'Africa', code: 'AF' },
      { name: 'Europe', code: 'EU' },
    ]),
  )
  expect(await read('continents')).toHaveLength(7)
  const languages = await read('languages')
  expect(languages.length).toBeGreaterThan(150)
  expect(languages).toContainEqual({ name: 'German', code: 'de', nativeName: 'Deutsch' })
  expect(await read('codes')).toContainEqual({ name: 'German', code: 'de' })
  expect(await read('currencies')).toContainEqual({
    symbol: '€',
    name: 'Euro',
    symbolNative: '€',
    decimalDigits: 2,
    rounding: 0,
    code: 'EUR',
    namePlural: 'Euro',
  })
  expect(await read('currencies')).toContainEqual(
    expect.objectContaining({ code: 'JPY', decimalDigits: 0 }),
  )
})

test('nobody is placed by their address', async () => {
  const blog = await sharedBlog()
  expect((await blog.call('GET', '/locale')).body).toEqual({
    ip: expect.stringMatching(/127\.0\.0\.1|::1/),
    countryCode: '--',
    country: 'Unknown',
    continentCode: '--',
    continent: 'Unknown',
    eu: false,
    currency: '',
  })
})

test('the names of a language are made once, however many others are asked for in between', () => {
  const read = makeNames()
  const first = read('de')
  const others = 'fr it es pt nl sv da nb fi pl cs hu ro bg el tr ru uk he ar hi ja ko zh'.split(
    ' ',
  )
  const made = others.map((one) => read(one).countries[0]?.name)
  expect(new Set(made).size).toBeGreaterThan(10)
  expect(read('de-AT')).toBe(first)
})
