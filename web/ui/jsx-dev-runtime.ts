// The development version of jsx-runtime.ts.
import type { Key } from 'react'
import { type JSXSource, jsxDEV as reactJsxDev } from 'react/jsx-dev-runtime'
import { Fragment, isolateTexts, type JSX, type Props, type Type } from './jsx-runtime.ts'

export type { JSX }
export { Fragment }

export function jsxDEV(
  type: Type,
  props: Props,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
) {
  return reactJsxDev(type, isolateTexts(type, props), key, isStatic, source, self)
}
