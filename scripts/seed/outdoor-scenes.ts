// Scenes under the open sky: land, water, weather (scenes.ts).
import {
  BUTTER,
  CREAM,
  type Dice,
  disc,
  glow,
  HEIGHT,
  NIGHT,
  PERSIMMON,
  PLUM,
  r,
  rect,
  ridge,
  shape,
  sky,
  stars,
  stroke,
  TEAL,
  times,
  WIDTH,
} from './brush.ts'

export function hills(dice: Dice, shift: number): string {
  const isEvening = dice.chance(0.5)
  const [x, y] = [dice.between(250, 1350), dice.between(150, 320) + shift * 20]
  const greens = isEvening
    ? ['#3b6f6d', '#27585c', '#173f48', '#0d2b34']
    : ['#7fa38a', '#55877b', '#346a69', '#1d4c53']
  return [
    isEvening ? sky('#143c4a', '#f0b878') : sky('#9cc3bf', '#f6e6b8'),
    glow(x, y, 260),
    disc(x, y, 62, isEvening ? CREAM : '#fff6d8'),
    ...greens.map((fill, index) => ridge(dice, 430 + index * 115, 60 - index * 8, fill)),
    stroke(
      `M${r(dice.between(500, 900))},${HEIGHT} C700,780 980,760 ${r(dice.between(820, 1000))},600`,
      BUTTER,
      10,
      'opacity="0.55"',
    ),
    times(14, () => {
      const [tx, ty] = [dice.between(0, WIDTH), dice.between(690, 860)]
      return (
        stroke(`M${r(tx)},${r(ty)} v-34`, '#0b2530', 5) +
        disc(tx, ty - 48, dice.between(18, 34), '#0f3a40')
      )
    }),
  ].join('')
}

export function mountains(dice: Dice): string {
  const peak = (x: number, top: number, half: number, fill: string): string =>
    shape(`M${r(x - half)},760 L${r(x)},${r(top)} L${r(x + half)},760 Z`, fill) +
    shape(
      `M${r(x)},${r(top)} l${r(-half * 0.22)},${r((760 - top) * 0.22)} l${r(half * 0.13)},-14 l${r(half * 0.1)},22 l${r(half * 0.12)},-26 l${r(half * 0.09)},18 Z`,
      CREAM,
      'opacity="0.9"',
    )
  return [
    sky('#2a6470', '#f3d6a0'),
    glow(dice.between(300, 1300), 260, 220),
    times(4, (index) =>
      peak(
        150 + index * 430 + dice.between(-60, 60),
        dice.between(190, 340),
        dice.between(300, 420),
        index % 2 ? '#2b5f69' : '#1f4d58',
      ),
    ),
    rect(0, 740, WIDTH, 160, '#17424d'),
    times(26, () =>
      rect(
        dice.between(0, WIDTH),
        dice.between(750, 890),
        dice.between(40, 200),
        3,
        BUTTER,
        `opacity="${r(dice.between(0.1, 0.5))}"`,
      ),
    ),
    times(9, () =>
      shape(
        `M${r(dice.between(0, WIDTH))},${r(dice.between(90, 240))} q60,-46 120,0 q60,-30 96,14 q20,26 -40,26 h-160 q-50,-6 -16,-40 Z`,
        CREAM,
        'opacity="0.35"',
      ),
    ),
  ].join('')
}

export function sea(dice: Dice, shift: number): string {
  const horizon = dice.between(330, 430)
  return [
    sky('#b9c9c0', '#e9ddba'),
    disc(dice.between(300, 1300), horizon - dice.between(20, 120), 70, '#fbf3d6', 0.9),
    rect(0, horizon, WIDTH, HEIGHT, '#4f8587'),
    times(12, (index) => {
      const y = horizon + 20 + index * index * 3.6
      const lean = Math.sin(index + shift * 6.3) * 40
      return stroke(
        `M-60,${r(y)} q${r(130 + lean)},${r(-16 - index)} 260,0 t260,0 t260,0 t260,0 t260,0 t260,0 t260,0`,
        index % 3 ? '#3b7175' : '#a5c4b7',
        3 + index * 0.9,
        'opacity="0.8"',
      )
    }),
    shape(
      `M${r(dice.between(300, 1000))},${r(horizon + 190)} l150,0 l-22,44 l-106,0 Z m70,-8 l0,-150 l74,140 Z m-8,0 l0,-120 l-54,116 Z`,
      PLUM,
    ),
    shape('M1240,900 q10,-120 70,-130 q60,10 70,130 Z', PERSIMMON),
    stroke('M1310,770 v-70', '#37222c', 8),
    disc(1310, 690, 14, BUTTER),
  ].join('')
}

export function harbour(dice: Dice): string {
  const house = (x: number): string => {
    const [width, height] = [dice.between(110, 170), dice.between(210, 390)]
    const fill = dice.pick(['#c9603f', '#e3b565', '#2d6a73', '#d8cfae', '#7d4f5a'] as const)
    const windows = times(6, (index) =>
      rect(
        x + 22 + (index % 2) * (width - 76),
        640 - height + 60 + Math.floor(index / 2) * 74,
        32,
        44,
        dice.chance(0.55) ? BUTTER : '#17343d',
      ),
    )
    return (
      rect(x, 640 - height, width, height, fill) +
      shape(
        `M${r(x - 10)},${r(640 - height)} h${r(width + 20)} l${r(-width / 2 - 10)},-70 Z`,
        '#3d2a33',
      ) +
      windows
    )
  }
  return [
    sky('#1b4b58', '#f1c58c'),
    stars(dice, 30, 200),
    times(10, (index) => house(index * 164 - 20 + dice.between(-6, 6))),
    rect(0, 640, WIDTH, 30, '#0e2b34'),
    rect(0, 670, WIDTH, 230, '#1d5561'),
    times(60, () =>
      rect(
        dice.between(0, WIDTH),
        dice.between(680, 890),
        dice.between(20, 90),
        4,
        dice.pick([BUTTER, PERSIMMON, TEAL]),
        `opacity="${r(dice.between(0.2, 0.7))}"`,
      ),
    ),
    shape(
      `M${r(dice.between(200, 900))},720 h340 l-40,66 h-260 Z m60,0 v-70 h170 v70 Z m60,-70 v-50 h26 v50 Z`,
      '#f0ead2',
    ),
  ].join('')
}

export function garden(dice: Dice): string {
  return [
    sky('#a9cbbd', '#f4e9bf'),
    ridge(dice, 380, 40, '#7fa68c'),
    rect(0, 460, WIDTH, 440, '#6b4a38'),
    times(7, (row) =>
      times(20, (column) => {
        const [x, y, high] = [
          column * 86 + dice.between(-12, 12),
          520 + row * 58,
          dice.between(26, 90),
        ]
        const stem = stroke(
          `M${r(x)},${r(y)} q${r(dice.between(-12, 12))},${r(-high / 2)} 0,${r(-high)}`,
          '#2f6a4f',
          5,
        )
        return `${stem}<ellipse cx="${r(x - 14)}" cy="${r(y - high * 0.6)}" rx="18" ry="9" fill="#4c8a5f"/><ellipse cx="${r(x + 14)}" cy="${r(y - high * 0.8)}" rx="18" ry="9" fill="#5d9c6b"/>${dice.chance(0.2) ? disc(x, y - high - 8, 12, dice.pick([PERSIMMON, BUTTER, '#d9577a'])) : ''}`
      }),
    ),
    stroke('M1330,520 v-240 M1250,330 h160 M1250,300 q80,-60 160,0', '#4a3128', 14),
  ].join('')
}

export function rain(dice: Dice, shift: number): string {
  return [
    sky('#2b4a55', '#6f8f90'),
    times(4, (index) =>
      ridge(
        dice,
        500 + index * 90,
        30,
        ['#54777b', '#3f6268', '#2b4c53', '#1b363d'][index] ?? NIGHT,
      ),
    ),
    times(170, () => {
      const [x, y] = [dice.between(-100, WIDTH), (dice.between(0, HEIGHT) + shift * 90) % HEIGHT]
      return stroke(
        `M${r(x)},${r(y)} l14,${r(dice.between(30, 64))}`,
        '#d5e3dd',
        2.4,
        `opacity="${r(dice.between(0.2, 0.7))}"`,
      )
    }),
    shape(
      'M640,640 a170,150 0 0 1 340,0 q-42,-30 -85,0 q-42,-30 -85,0 q-42,-30 -85,0 q-42,-30 -85,0 Z',
      PERSIMMON,
    ),
    stroke('M810,500 v300 q0,34 30,34 q28,0 28,-28', '#2a1c20', 9),
  ].join('')
}

export function map(dice: Dice): string {
  const [cx, cy] = [dice.between(400, 1200), dice.between(250, 650)]
  return [
    rect(0, 0, WIDTH, HEIGHT, '#efe6c8'),
    times(16, (index) => {
      const [rx, ry] = [90 + index * 62, 54 + index * 40]
      return `<ellipse cx="${r(cx + dice.between(-24, 24))}" cy="${r(cy + dice.between(-18, 18))}" rx="${rx}" ry="${ry}" fill="none" stroke="#b98a54" stroke-width="${index % 5 ? 2 : 4}" opacity="0.6" transform="rotate(${r(dice.between(-14, 14))} ${r(cx)} ${r(cy)})"/>`
    }),
    stroke(
      `M0,${r(dice.between(100, 800))} C400,${r(dice.between(0, 900))} 900,${r(dice.between(0, 900))} 1600,${r(dice.between(100, 800))}`,
      '#5d9aa0',
      26,
    ),
    stroke(
      `M${r(dice.between(0, 400))},900 C500,600 800,700 1000,400 S1400,200 1600,160`,
      PERSIMMON,
      8,
      'stroke-dasharray="26 18"',
    ),
    times(26, () =>
      rect(
        dice.between(40, 1540),
        dice.between(40, 840),
        dice.between(14, 34),
        dice.between(14, 28),
        '#5a4a3c',
      ),
    ),
    times(9, (index) =>
      stroke(`M${index * 200},0 V900 M0,${index * 200} H1600`, '#8fb3ad', 2, 'opacity="0.7"'),
    ),
  ].join('')
}
