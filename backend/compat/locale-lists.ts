// Countries, languages and currencies as far as the language data of Node knows them, named in the
// language that the caller reads. Sends no request and looks up no IP address. Independent of HTTP.
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'

type Named = { name: string; code: string }
/** All names in one language. */
export type Names = ReturnType<typeof makeNamesIn>

const FALLBACK = 'en'
const LOCALE_MAX_CHARS = 35
/** Codes of two letters that name no country: unions, islands of a country, codes for tests. */
const NO_COUNTRIES = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ')
const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(
  ' ',
)
/** Code here, code in the language data. */
const CONTINENTS = { AF: '002', AN: 'AQ', AS: '142', EU: '150', NA: '003', OC: '009', SA: '005' }

/**
 * Names are made once for each language and kept: the language data know about 250 languages, and
 * making the names of one takes milliseconds.
 *
 * @returns names by a language tag as the caller sent it; English when it is none or not known
 */
export function makeNames(): (asked: unknown) => Names {
  const kept = new Map<string, Names>()
  return (asked) => {
    const locale = languageOf(asked)
    const names = kept.get(locale) ?? makeNamesIn(locale)
    kept.set(locale, names)
    return names
  }
}

function languageOf(asked: unknown): string {
  if (typeof asked !== 'string' || asked === '' || asked.length > LOCALE_MAX_CHARS) return FALLBACK
  try {
    // Only the part that names are in counts, as `de` in `de-AT-u-co-phonebk`: these are few.
    const { language } = new Intl.Locale(asked)
    return Intl.DisplayNames.supportedLocalesOf([language])[0] ?? FALLBACK
  } catch {
    return FALLBACK
  }
}

// --- what is the same for every caller: most of the work

/** All codes of two letters but old ones, which stand for newer ones. */
function twoLetters(first: 'a' | 'A', before: string): string[] {
  const start = first.charCodeAt(0)
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(start + at))
  const codes = letters.flatMap((one) => letters.map((other) => one + other))
  return codes.filter((code) => Intl.getCanonicalLocales(before + code)[0] === before + code)
}

const COUNTRY_CODES = twoLetters('A', 'und-').filter((code) => !NO_COUNTRIES.includes(code))
const LANGUAGES = twoLetters('a', '').map((code) => {
  const nativeName = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return { code, nativeName }
})
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => {
  const money = { style: 'currency', currency: code } as const
  const format = new Intl.NumberFormat(FALLBACK, money)
  const narrow = new Intl.NumberFormat(FALLBACK, { ...money, currencyDisplay: 'narrowSymbol' })
  const decimalDigits = format.resolvedOptions().maximumFractionDigits ?? 2
  const [symbol, symbolNative] = [symbolOf(format), symbolOf(narrow)]
  return { symbol, symbolNative, decimalDigits, rounding: 0, code }
})

function symbolOf(format: Intl.NumberFormat): string {
  return format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? ''
}

// --- the names in one language

function makeNamesIn(locale: string) {
  const { compare } = new Intl.Collator([locale])
  /** Without those that have no name. */
  const inOrder = <Item extends Named>(items: Item[]): Item[] =>
    items.filter(({ name }) => name !== '').sort((one, other) => compare(one.name, other.name))
  const regions = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' })
  const languages = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' })
  const money = new Intl.DisplayNames([locale], { type: 'currency' })
  const countries = inOrder(COUNTRY_CODES.map((code) => ({ name: regions.of(code) ?? '', code })))
  const continents = Object.entries(CONTINENTS).map(([code, region]) => ({
    name: regions.of(region) ?? code,
    code,
  }))
  const spoken = inOrder(LANGUAGES.map((one) => ({ name: languages.of(one.code) ?? '', ...one })))
  return {
    countries,
    eu: countries.filter(({ code }) => EU.includes(code)),
    phones: countries.flatMap(toPhone),
    continents: inOrder(continents),
    languages: spoken,
    codes: spoken.map(({ code, name }) => ({ code, name })),
    currencies: inOrder(
      CURRENCIES.map((one) => {
        const name = money.of(one.code) ?? one.code
        return { ...one, name, namePlural: name }
      }),
    ),
  }
}

/** None for the few places without telephones of their own. */
function toPhone({ code: countryCode, name: countryName }: Named) {
  if (!isSupportedCountry(countryCode)) return []
  return [{ code: `+${getCountryCallingCode(countryCode)}`, countryCode, countryName }]
}
