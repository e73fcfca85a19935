package main

import (
	"math"
	"math/big"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

var quantityEdges = strings.Fields(`
0 00 -0 +0 1 +1 -1 01 001 1. .5 0.5 -.5 . - + +. -. 1.5 1.50 1.500 1.5000 15000 1000 1001 999 1024 1023 -1024 2048
100m 1500m 1000m 0.1m 0.0001m 1n 0.1n 5n 3u 1u 1000u 1000n 999n 1.1n -1.1n 0.0000000001 -0.0000000001 0.000000001
1k 1K 1M 1G 1T 1P 1E 9E 10E 100E 999E 1.5E 12E2 1e3 1E3 1e+3 1e-3 1e-9 1e-10 -1e-10 12e6 1e0 1e1 1e2 1e18 1e19 1e30
1.1e1 1.123e3 123e-2 1e 1e+ e5 e-5 e-20 .e-20 0e-20 E Ei Pi Ti Gi Mi Ki k m n .Ki .Pi -Ki 1Ki 1.5Ki 0.5Ki 0.001Ki
-0.001Ki 1Mi 1Gi 1.5Gi 1Ti 1Pi 1Ei 7Ei 8Ei 9Ei -9Ei 16Ei 7.999999999Ei 0.1Ei 1023Ki 1024Ki 1025Ki 8Ki 100Ki +1Ki
01Ki 1.0Ki 1.1Ki 1.0000000001Gi 0Ki 0.0Ki -0Ki 0m 0.0 0e5 0E 5Ei0 1Kii 1ki 1mi 1i 1u1 1n5 1e5e 1e5.5 1e5k 1ee5 --1
1- 1+ 1-5 1+5 1_000 0x10 1,5 abc 1a 1Z 1Kb 1GB 256MiB Inf NaN 1e2147483647 -1e2147483647 9223372036854775807
9223372036854775808 -9223372036854775807 -9223372036854775808 92233720368547758070 99999999999999999999999999
-99999999999999999999999999 123456789012345678 1234567890123456789 12345678901234567890 0.123456789 0.1234567891
0.12345678912345 1.0000000000 1.0000000001 999999999999999999 999999999999999999.999999999 100000000000000000000n
123456789012345678901234567890n 9007199254740993 9007199254740993Ki 9223372036854775807Ki 1000000000000000000000
18446744073709551616 18446744073709551616Ki 1000k 1000M 1000G 1000T 1000P 1000000P 123000 120000 1230000 0.12k 0.0012k
1.0012k 4.2M 1.25 1.255 1.2555 -1.5 -1500m -1.5Gi -0.5Ki -1.1n 100000 1e6 1000e3 1000e-3 1500e-3 10e-10 15e-10 5e-10
+123456789012345678 +1234567890123456789 01234567890123456789 +123456789.123456789 +1234567890.123456789 +12345678901Ki
+123456789012Ki +12345678Mi +123456789Mi +12345Gi +123456Gi +12Ti +123Ti +1Pi +1Ei +1.000000001 +1.000 +12.000000k
`)

// Exact and without Go's overflows: away from zero, held at the ends of int64.
func exact(q resource.Quantity, scale int32) int64 {
	dec := q.DeepCopy()
	d := dec.AsDec()
	value := new(big.Int).Set(d.UnscaledBig())
	shift := int64(-int32(d.Scale())) - int64(scale)
	if shift > 40 {
		shift = 40
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(shift, -shift)), nil)
	if shift >= 0 {
		value.Mul(value, power)
	} else {
		rest := new(big.Int)
		value.QuoRem(value, power, rest)
		value.Add(value, big.NewInt(int64(rest.Sign())))
	}
	if value.IsInt64() {
		return value.Int64()
	}
	if value.Sign() < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

// Go's text, unless it is that of another number: it drops the suffix of what is beyond 999E. (A binary sum beyond
// 2^63-1 prints right and parses as 2^63-1: that is the rule for parsing.)
func addText(r row, name string, q resource.Quantity) {
	printed := q.String()
	back, err := resource.ParseQuantity(printed)
	if q.Format != resource.BinarySI && (err != nil || back.Cmp(q) != 0) {
		r["wrong_"+name] = printed
		return
	}
	r[name] = printed
}

func quantity(in string) {
	r := row{"t": "quantity", "in": in}
	q, err := resource.ParseQuantity(in)
	if err != nil {
		r["err"] = err.Error()
		emit(r)
		return
	}
	huge := strings.Contains(in, "e2147483647") // Go would compute all of its digits
	if huge {
		r["out"] = q.String()
	} else {
		addText(r, "out", q)
	}
	r["format"] = string(q.Format)
	r["sign"] = q.Sign()
	if !huge {
		// Asked of copies: some of these change the form in which Go holds the number.
		a, b := q.DeepCopy(), q.DeepCopy()
		value, milli := a.Value(), b.MilliValue()
		r["value"], r["milli"] = exact(q, 0), exact(q, -3)
		if value != r["value"] {
			r["wrong_value"] = value
		}
		if milli != r["milli"] {
			r["wrong_milli"] = milli
		}
		c := q.DeepCopy()
		c.Neg()
		addText(r, "neg", c)
	}
	emit(r)
}

func quantityPair(left, right string) {
	a, err := resource.ParseQuantity(left)
	b, err2 := resource.ParseQuantity(right)
	if err != nil || err2 != nil {
		return
	}
	r := row{"t": "quantities", "a": left, "b": right}
	x, y := a.DeepCopy(), b.DeepCopy()
	r["cmp"] = x.Cmp(y)
	sum, difference := a.DeepCopy(), a.DeepCopy()
	sum.Add(b.DeepCopy())
	difference.Sub(b.DeepCopy())
	addText(r, "add", sum)
	addText(r, "sub", difference)
	emit(r)
}

func randomQuantity() string {
	suffixes := strings.Fields("n u m k M G T P E Ki Mi Gi Ti Pi Ei e3 e-3 e1 E2 e-7 e12 e+6 e-10")
	in := pick([]string{"", "", "", "", "-", "-", "+"})
	in += text("0123456789", pick2(3, 3, 6, 12, 22))
	if random.Intn(3) == 0 {
		in += "." + text("0123456789", pick2(3, 4, 12))
	}
	if random.Intn(4) == 0 {
		in += text("0", 6)
	}
	if random.Intn(4) != 0 {
		in += pick(suffixes)
	}
	if random.Intn(25) == 0 {
		in += text("eEinumkKMGTP+-.x 0", 2)
	}
	return in
}

func pick2(from ...int) int { return from[random.Intn(len(from))] }

func quantities() {
	for _, in := range quantityEdges {
		quantity(in)
	}
	for _, in := range []string{"", " 1", "1 ", "1 Gi", "1\n", "½", "1µ", "１"} {
		quantity(in)
	}
	for i := 0; i < 700; i++ {
		quantity(randomQuantity())
	}
	for i := 0; i < 400; i++ {
		left, right := randomQuantity(), randomQuantity()
		if random.Intn(4) == 0 {
			right = pick(quantityEdges)
		}
		if !strings.Contains(right, "e2147483647") {
			quantityPair(left, right)
		}
	}
	for _, pair := range [][2]string{{"1Gi", "1024Mi"}, {"0", "1Gi"}, {"1Gi", "1"}, {"1", "1Gi"}, {"1e3", "1k"},
		{"0", "0"}, {"+1", "0"}, {"1.500", "0"}, {"1", "1m"}, {"1Gi", "1Gi"}, {"8Ei", "8Ei"}, {"1n", "9E"}} {
		quantityPair(pair[0], pair[1])
	}
}
