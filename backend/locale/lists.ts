// Countries, languages and currencies as far as the language data of Node knows them, named in the
// language that the caller reads. Asks nobody else, and looks no address up. Knows no HTTP.
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'

type Named = { name: string; code: string }
/** All names in one language. */
export type Names = ReturnType<typeof makeNamesIn>

const FALLBACK = 'en'
const LOCALE_MAX_CHARS = 35
/** Of two letters like those of countries: unions, islands of a country, codes for tests. */
const NO_COUNTRIES = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ')
const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(
  ' ',
)
/** Code here, code in the language data. */
const CONTINENTS = {
  AF: '002',
  AN: 'AQ',
  AS: '142',
  EU: '150',
  NA: '003',
  OC: '009',
  SA: '005',
} as const

/** @param asked a language tag as the caller sent it; English when it is none or not known */
export type ReadNames = (asked: unknown) => Names

/**
 * Names are made once for each language and kept: the language data know about 250 languages, and
 * making the names of one takes milliseconds.
 */
export function makeNames(): ReadNames {
  const kept = new Map<string, Names>()
  return (asked) => {
    const locale = languageOf(asked)
    const known = kept.get(locale)
    if (known) return known
    const made = makeNamesIn(locale)
    kept.set(locale, made)
    return made
  }
}

function languageOf(asked: unknown): string {
  if (typeof asked !== 'string' || asked === '' || asked.length > LOCALE_MAX_CHARS) return FALLBACK
  try {
    // Of `de-AT-u-co-phonebk` only what names are in counts: there are few such languages.
    const { language } = new Intl.Locale(asked)
    return Intl.DisplayNames.supportedLocalesOf([language])[0] ?? FALLBACK
  } catch {
    return FALLBACK
  }
}

function makeNamesIn(locale: string) {
  const inOrder = makeOrder(locale)
  known ??= findInAllLanguages()
  const { countryCodes, languageCodes, currencies } = known
  const regions = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' })
  const languages = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' })
  const money = new Intl.DisplayNames([locale], { type: 'currency' })
  const countries = inOrder(countryCodes.map((code) => ({ name: regions.of(code) ?? '', code })))
  const continents = Object.entries(CONTINENTS).map(([code, region]) => ({
    name: regions.of(region) ?? code,
    code,
  }))
  return {
    countries,
    eu: countries.filter(({ code }) => EU.includes(code)),
    phones: countries.flatMap(toPhone),
    continents: inOrder(continents),
    languages: inOrder(
      languageCodes.map(({ code, nativeName }) => ({
        name: languages.of(code) ?? '',
        code,
        nativeName,
      })),
    ),
    currencies: inOrder(
      currencies.map((one) => {
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

let known: ReturnType<typeof findInAllLanguages> | undefined

/** What is the same whoever asks: most of the work, and done once. */
function findInAllLanguages() {
  return {
    countryCodes: twoLetters('A').filter(
      (code) => !NO_COUNTRIES.includes(code) && isCanonical(`und-${code}`),
    ),
    languageCodes: twoLetters('a')
      .filter(isCanonical)
      .map((code) => ({ code, nativeName: nativeNameOf(code) })),
    currencies: Intl.supportedValuesOf('currency').map(readCurrency),
  }
}

/** Without those that have no name. */
function makeOrder(locale: string): <Item extends Named>(items: Item[]) => Item[] {
  const { compare } = new Intl.Collator([locale])
  return (items) =>
    items.filter(({ name }) => name !== '').sort((one, other) => compare(one.name, other.name))
}

/** All codes of two letters, `first` to `first` + 25. */
function twoLetters(first: 'a' | 'A'): string[] {
  const start = first.charCodeAt(0)
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(start + at))
  return letters.flatMap((one) => letters.map((other) => one + other))
}

/** Old codes stand for newer ones. */
function isCanonical(tag: string): boolean {
  return Intl.getCanonicalLocales(tag)[0] === tag
}

function nativeNameOf(code: string): string {
  return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
}

function readCurrency(code: string) {
  const money = { style: 'currency', currency: code } as const
  const format = new Intl.NumberFormat(FALLBACK, money)
  const narrow = new Intl.NumberFormat(FALLBACK, { ...money, currencyDisplay: 'narrowSymbol' })
  return {
    symbol: symbolOf(format),
    symbolNative: symbolOf(narrow),
    decimalDigits: format.resolvedOptions().maximumFractionDigits ?? 2,
    rounding: 0,
    code,
  }
}

function symbolOf(format: Intl.NumberFormat): string {
  return format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? ''
}
