// The language that the site speaks. Another one is another folder beside en, named here in its
// place (CONTRIBUTING.md).
import type { ReactNode } from 'react'
import { en } from './en/catalogue.ts'

/** What a catalogue must have: every text of the English one, made of the same values. */
type Texts = Translated<typeof en>

type Translated<Text> = Text extends string | ((...values: never) => string)
  ? Text
  : Text extends (...values: infer Values) => ReactNode
    ? (...values: Values) => ReactNode
    : { readonly [Name in keyof Text]: Translated<Text[Name]> }

export const texts: Texts = en
