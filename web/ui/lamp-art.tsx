// The reading lamp of the message screens: lit, searching, or off. Decoration.

export type LampState = 'lit' | 'searching' | 'off'

const CONTROL = 'var(--line-control)'

export function LampArt({ state }: { state: LampState }) {
  const isOff = state === 'off'
  return (
    <svg className="illustration" viewBox="0 0 220 170" aria-hidden="true">
      <rect x="18" y="148" width="184" height="5" rx="2.5" fill="var(--surface-3)" />
      {state === 'lit' && <path d="M88 62 46 148h96L118 62Z" fill="var(--mark)" opacity=".2" />}
      <path
        d="M164 148V58q0-30-36-32"
        fill="none"
        stroke={CONTROL}
        strokeWidth="6"
        strokeLinecap="round"
      />
      <rect x="144" y="142" width="40" height="8" rx="4" fill={CONTROL} />
      <g transform={isOff ? 'rotate(-14 128 26)' : undefined}>
        <path
          d="M104 20c26 0 34 20 36 40H68c2-20 10-40 36-40z"
          fill={isOff ? 'var(--surface-3)' : 'var(--like)'}
        />
        <rect x="68" y="58" width="72" height="5" rx="2.5" fill={isOff ? CONTROL : 'var(--mark)'} />
      </g>
      {state === 'lit' && (
        <>
          <path className="illustration__book" d="M66 148l8-22h40l8 22z" />
          <path className="illustration__lines" d="M82 134h26M79 140.500h20" />
        </>
      )}
      {state === 'searching' && (
        <>
          <path d="M88 62 46 148h96L118 62Z" fill="var(--mark)" opacity=".16" />
          <path
            d="M62 148c10-6 54-6 64 0"
            stroke="var(--mark)"
            strokeWidth="3"
            strokeDasharray="2 8"
            strokeLinecap="round"
            fill="none"
          />
        </>
      )}
      {isOff && (
        <path
          d="M92 84l-6 12M108 86v14M76 76l-12 8"
          stroke={CONTROL}
          strokeWidth="3"
          strokeLinecap="round"
        />
      )}
    </svg>
  )
}
