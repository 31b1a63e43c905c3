// The long ones: several pages each, with images in the text, code and a video; and a draft that
// has no image yet. Only data.
import { bodyImage, type SeedPost } from './people.ts'

export const LONG_POSTS: SeedPost[] = [
  {
    author: 'wiebke',
    title: 'Eleven nights on the slow boat',
    daysAgo: 2.7,
    scene: 'train',
    type: 'jpeg',
    likedBy: ['amara', 'noor', 'pia', 'tobias'],
    content: `<p>My brother took the express home for his wedding and was there in five hours. I went by barge, because the barge was going there anyway, and was there in eleven days. We left on the same morning. He has never asked me about it, so I am telling you.</p>
<p>The boat was called <em>Hertha</em>, loaded with gravel, and she made nine kilometres an hour when the river was in favour of it. There is a speed below which a journey stops being a way of getting anywhere. I would put it at about eleven. Below that you live somewhere, and the somewhere moves.</p>
<h2>The first three nights</h2>
<p>You sleep badly. It is not the engine, which is a kind of floor and holds you up; it is the moments when the engine stops. In a lock everything goes quiet and then begins to sink, and the wall comes up past the window with its weeds and its iron ladder, dripping, like a building being lowered into the ground. The first time I sat up and looked for my shoes.</p>
<p>By the third night I had stopped waking. The skipper, who is called Renate and has done this since before I was born, said that on the fourth night I would wake if we <em>did not</em> stop. She was right about that. She was right about most things, and never twice.</p>
${bodyImage('harbour', 'A barge tied up below a row of warehouses at dusk', 'The basin at kilometre 344, where we waited for a pilot who turned out to be on board.')}
<h3>What there is to do</h3>
<ul><li>Paint. Something on a boat always needs paint, and by the time you have finished it something else does.</li><li>Peel potatoes on deck, with the peel going over the side for the coots, who know the boat.</li><li>Hold a rope. This is most of it. You hold a rope for twenty minutes, thinking of nothing, and when you let go of it you find that you have decided something.</li><li>Say good evening to the bank. The people on it always answer, as one does to somebody who will be gone before it becomes a conversation.</li></ul>
<h3>What there is not</h3>
<p>News, mostly. A river is a valley with water in it, and a valley is where signals do not go. For two days we had nothing but the water-level report, read out by a man in an office who gave each gauge its full name and then a number, without any comment at all. I have not been so well informed since.</p>
<h2>The middle</h2>
<p>On the sixth day it rained from the first light to the last. I have lived by this river all my life and had never once been <em>in</em> the rain on it; I had always been beside it, under something. From the wheelhouse you see how it arrives. It comes up the reach towards you as a line drawn across the water, with the smooth on this side and the rough on that, and there is a moment when the line goes under the bow and you are simply in the other place.</p>
${bodyImage('rain', 'Rain over a wide grey river, seen through a wheelhouse window', 'Kilometre 401. There is a town behind this, with a cathedral.')}
<p>Renate steered with two fingers. I asked her how she could tell where the channel was. She thought about it for so long that I supposed she had not heard. Then she said:</p>
<blockquote><p>I don't look for where it is. I look for where it would have to be, and then I check whether the river has noticed.</p></blockquote>
<p>I wrote it on the back of the water-level report. It is still the best thing anybody has said to me about anything.</p>
<h2>Film night</h2>
<p>On Saturdays the boats that lie at the same quay run a cable across and show a film on somebody's hatch cover. There is one rule: it has to be one that everyone may keep. That week it was the one about the rabbit, which is made by people who give away everything that they draw, and which the child from the <em>Anna Maria</em> knew by heart.</p>
<figure><iframe src="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ" title="Big Buck Bunny, an open film" width="560" height="315" allowfullscreen></iframe></figure>
<p>She spoke all the parts. There are no words in it; she had put some in. When the butterfly came she took hold of the nearest sleeve, which was mine, and did not let go of it until the lights went up.</p>
<h2>The last nights</h2>
<p>Towards the end you begin to count, and the moment you count it is over, even if there are three days left. I noticed that I had started to look at the kilometre boards. Renate noticed too, and gave me a job below deck where there were none.</p>
<table><thead><tr><th scope="col">Night</th><th scope="col">Where</th><th scope="col">Heard</th></tr></thead><tbody><tr><td>1</td><td>below the bridge</td><td>trains</td></tr><tr><td>4</td><td>at anchor</td><td>nothing, then an owl being told so</td></tr><tr><td>6</td><td>the long reach</td><td>rain</td></tr><tr><td>9</td><td>in a lock</td><td>the lock keeper's radio, a football match, nil to nil</td></tr><tr><td>11</td><td>home</td><td>my own name, from the quay</td></tr></tbody></table>
${bodyImage('sea', 'A wide estuary under a pale morning sky, with one light still on', 'The morning of the eleventh day. The light is the one on our own quay; somebody had left it on for us.')}
<p>The wedding had been beautiful, everyone said. I had missed it by a week, as I had known I would when I went on board, and had told them, and had been told not to be ridiculous. My brother embraced me and said that I smelled of diesel and looked ten years younger. Then he asked how long it had taken.</p>
<p>I told him that I did not know yet.</p>`,
  },
  {
    author: 'tobias',
    title: 'What the lighthouse says, in eleven lines',
    daysAgo: 5.4,
    scene: 'rain',
    type: 'jpeg',
    likedBy: ['noor', 'wiebke', 'amara'],
    content: `<p>A lighthouse has one word, and it says it for the whole of its life. Wiebke's says <code>Fl(3) 15s</code>: three flashes, and then dark until fifteen seconds are over. She asked me whether I could make a lamp for her window that says the same thing. It is the kind of question that sounds like an evening's work.</p>
<p>It was an evening's work. What follows is the three weeks around it.</p>
<h2>Reading the word</h2>
<p>Every light on every coast has such an entry in a list, and the list has a grammar. A fixed light, a flashing one, one that is longer lit than dark: each has an abbreviation, then a number in brackets for the group, then the colour if it is not white, then the period. Somebody thought very hard about this, around 1860, and nobody has needed to since.</p>
<pre class="language-typescript"><code>/** "Fl(3) 15s", as it stands in the list of lights. */
type Light = { kind: 'F' | 'Fl' | 'LFl' | 'Q'; group: number; periodSeconds: number }

export function readLight(text: string): Light {
  const found = /^(F|Fl|LFl|Q)(?:\\((\\d+)\\))?(?: (\\d+)s)?$/.exec(text)
  if (!found) throw new Error(\`No such light: \${text}\`)
  const [, kind, group = '1', period = '1'] = found
  return { kind: kind as Light['kind'], group: Number(group), periodSeconds: Number(period) }
}</code></pre>
<p>I am fond of that function. It is short because the people who made the notation had already done the difficult part. Most of what I am proud of in my work turns out, when I look closely, to have been done by somebody before me with better manners.</p>
${bodyImage('lamp', 'A lamp with a warm shade, throwing a cone of light on a dark wall', 'The lamp on the bench. The shade is from a cinema that is now a bank.')}
<h2>Saying it</h2>
<p>The lamp itself knows less than the notation does. All it has to be told is how long to be on, how long to be off, and when to begin again.</p>
<pre class="language-python"><code>FLASH = 0.5   # seconds lit
PAUSE = 1.5   # seconds between the flashes of a group

def sequence(group, period):
    """Yields (lit, seconds) until the period is over, for ever."""
    while True:
        left = period
        for _ in range(group):
            yield True, FLASH
            yield False, PAUSE
            left -= FLASH + PAUSE
        yield False, left   # the long dark, which is most of it</code></pre>
<p>The long dark is most of it. I had never noticed. We say that a lighthouse flashes, and what it mostly does is wait: of fifteen seconds it is lit for one and a half. It is like being told that a book consists chiefly of paper.</p>
<h3>The first fault</h3>
<p>After an hour it was late by two seconds. A lamp that sleeps for half a second sleeps for half a second <em>and a little</em>, and the little adds up. Every clockmaker knows this one, which is why it was so annoying. You must not ask how long to wait; you must ask until when.</p>
<pre><code>-    time.sleep(seconds)
+    until += seconds
+    time.sleep(max(0, until - time.monotonic()))</code></pre>
<h3>The second fault</h3>
<p>Was not a fault. Wiebke rang to say that the lamp was wrong: it was not <em>with</em> the real one. From her window you can see both, and they said the same word, one after the other, like two people in a marriage.</p>
<p>There is nothing in the list about when a light begins. Why should there be? Nobody at sea compares two of them. I drove out with a stopwatch, sat in her kitchen for an evening, and turned the lamp on by hand at the right moment, which is a method that is several thousand years old.</p>
${bodyImage('windows', 'The dark front of a house with a few lit windows', 'Second floor, third from the left.')}
<h2>What it is for</h2>
<p>Nothing. The light has been automatic since 1978 and does not need a friend. But on the evening I came back to fetch my tools it was foggy, so foggy that the real one could not be seen at all, and there was only the lamp in the window, three flashes and the dark, three flashes and the dark.</p>
<p>She said that it was just as it is on the phone with somebody who has gone out of reach: one of you goes on talking for a while, in case.</p>`,
  },
  {
    author: 'amara',
    title: 'A year of the allotment, told by what I lost in it',
    daysAgo: 10.9,
    scene: 'table',
    type: 'jpeg',
    likedBy: ['pia', 'wiebke', 'tobias'],
    content: `<p>Other people keep a diary of what came up. I tried that. It reads like a bank statement in a good year and like a complaint in a bad one. So this time I wrote down what went missing, and when, and where I think it is, and found at the end that I had written about everything.</p>
<h2>January: a glove</h2>
<p>The left one. I had taken it off to feel whether the ground was frozen, which is a thing you do not need a bare hand for; you can hear it. The spade says so. It is in the compost, I believe, and has by now become part of the argument there.</p>
<h2>March: two weeks</h2>
<p>They went to the ward. There was a bad fortnight in which I slept and worked and did nothing else, and when I came back the garlic was up and looked at me as if I had been expected earlier. Nothing had needed me. I was more hurt by that than I would have thought.</p>
${bodyImage('garden', 'Rows of young plants between narrow paths, a shed behind them', 'The second week of April. The empty row is where I had faith in the parsnips.')}
<h2>May: the argument with Mr Pettifer</h2>
<p>It was about bindweed. He holds that one must get every scrap of the root. I hold that one cannot, and that a person who knows that something is impossible can go home at six. He said that this was the difference between us. I said that the difference between us was a fence. It was a good argument, we had had it for three summers, and then he went into hospital, to my own floor as it happens, and I found I had nobody to be wrong with.</p>
<p>I brought him a piece of root in a specimen jar. He asked for his glasses, held it up to the window, and said: "You've snapped it."</p>
<h2>July: count</h2>
<p>Of everything. There is a week in which the beans come faster than one can think of people to give them to. I left a bag at each door of my staircase and rang and ran, like a child. On the third evening somebody had left a bag at <em>my</em> door. It was beans.</p>
<blockquote><p>You cannot keep a glut. That is what it is for, said Mr Pettifer, who was out again and had been told not to lift anything, and was pointing.</p></blockquote>
<h2>September: the light</h2>
<p>It goes between one evening and the next. You are still working, and then you are looking for the trowel with your foot. I stay for that half hour on purpose now. The plots go grey one after the other, from the brook upwards, and in each shed somebody puts a lamp on, and for as long as it takes to wash one's hands we are a village.</p>
${bodyImage('hills', 'Low hills in the evening, with a line of light left along the top', 'Nine minutes past seven. The last of it goes over the railway.')}
<h2>October: the ledger</h2>
<p>He gave it to me. It has the first frost of every year since 1988 in it, and a column headed <em>Remarks</em>. I said that I could not take it. He said that it was not a present, it was a job, and that the pencil went with it.</p>
<p>I looked for this year's line, to see what he had made of it all: the hospital, the summer, the snapped root. He had left it empty. Under <em>Remarks</em>, in the third colour of ink, it said only: <strong>ask her</strong>.</p>
<h2>December: nothing</h2>
<p>I have looked everywhere. It all seems to be here.</p>`,
  },
  {
    author: 'tobias',
    title: 'Springs, a beginning',
    daysAgo: 0.4,
    isInactive: true,
    likedBy: [],
    content: `<p>A spring remembers one thing, which is how it was. Everything that it does is an attempt to get back there.</p>
<p><em>Go on from here: the two kinds, and why the second one is called a hairspring although there is no hair in it.</em></p>`,
  },
]
