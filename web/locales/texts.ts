// The language of the site. For another one, add a folder next to `en` and import it here instead
// (CONTRIBUTING.md).
import type { ReactNode } from 'react'
import { en } from './en/catalogue.ts'

/** A catalogue has every text of the English one, with the same parameters. */
type Texts = Translated<typeof en>

type Translated<Text> = Text extends string | ((...values: never) => string)
  ? Text
  : Text extends (...values: infer Values) => ReactNode
    ? (...values: Values) => ReactNode
    : { readonly [Name in keyof Text]: Translated<Text[Name]> }

export const texts: Texts = en
